const ENGLISH_ORDER =
  /\b(?:top|bottom|first|last|second|third|fourth|fifth|\d+(?:st|nd|rd|th)|most|least|best|worst|max(?:imum|imal)?|min(?:imum|imal)?|fewest|leading|latest|newest|only one|rank(?:s|ed|ing)?|any (?:one|of))\b/i;
/** Nouns, verbs and names that end like a superlative. */
const NOT_SUPERLATIVE = new Set(
  `forest rainforest interest request quest conquest bequest inquest guest test contest protest attest detest west midwest
  northwest southwest rest arrest unrest crest nest earnest honest modest priest pest tempest vest invest harvest suggest digest ingest
  congest infest manifest chest zest molest jest budapest bucharest everest`.split(/\s+/),
);
const CHINESE_ORDER =
  /最|前[\d一二三四五六七八九十百几]|第[\d一二三四五六七八九十]|排名|排行|倒数|首[个位名次]|末[个位名次]|冠军|任意一/u;

/** Whether a question asks for a first, last, highest, lowest or n-th of something, in English or Chinese. */
export function asksForSome(question: string): boolean {
  return ENGLISH_ORDER.test(question) || hasSuperlative(question) || CHINESE_ORDER.test(question);
}

/** `oldest`, `cheapest` */
function hasSuperlative(question: string): boolean {
  const words = question.toLowerCase().match(/\b[a-z]{2,}est\b/g) ?? [];
  return words.some((word) => !NOT_SUPERLATIVE.has(word));
}

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const CHINESE_DIGITS = "零一二三四五六七八九十";

/** Whether a question names a number of rows: `list five customers`, `列出三个客户`. */
export function asksForNumber(question: string, rows: number | null): boolean {
  if (rows === null) return false;
  const word = NUMBER_WORDS[rows];
  const chinese = CHINESE_DIGITS[rows];
  return (
    new RegExp(`(?<![\\d.])${rows}(?![\\d.]\\d|\\d)`).test(question) ||
    (word !== undefined && new RegExp(`\\b${word}\\b`, "i").test(question)) ||
    (chinese !== undefined && question.includes(`${chinese}个`))
  );
}
