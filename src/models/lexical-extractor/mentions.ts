/** A number, date or year in a sentence. */
export interface Mention {
  readonly kind: "number" | "date" | "year";
  readonly text: string;
  readonly at: number;
}

const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?";
const DATES = new RegExp(
  [
    String.raw`\d{4}-\d{2}-\d{2}`,
    String.raw`\d{1,2}(?:st|nd|rd|th)? ${MONTH},? \d{4}`,
    String.raw`${MONTH} \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
    String.raw`${MONTH} \d{4}`,
    String.raw`\d{4}年\d{1,2}月(?:\d{1,2}日)?`,
  ].join("|"),
  "gu",
);
const YEARS = /(?<![\d.,\p{Script=Latin}])(?:1[5-9]|20)\d{2}(?![\d\p{Script=Latin}%]|[.,]\d)/gu;
const NUMBERS = /(?<![\d.,\p{Script=Latin}])[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d]|[.,]\d)/gu;

/** Numbers, dates and years, in the order of the sentence; what is a part of a date is none of its own, and a year is no number. */
export function mentionsIn(sentence: string): Mention[] {
  const mentions: Mention[] = [];
  const add = (kind: Mention["kind"], pattern: RegExp) => {
    for (const { 0: text, index } of sentence.matchAll(pattern)) {
      const isFree = mentions.every((one) => index + text.length <= one.at || index >= one.at + one.text.length);
      if (isFree) mentions.push({ kind, text, at: index });
    }
  };
  add("date", DATES);
  add("year", YEARS);
  add("number", NUMBERS);
  return mentions.sort((a, b) => a.at - b.at);
}

const NO_NAMES: ReadonlySet<string> = new Set(
  "A An The In On At By Of For From To It Its They Their He She His Her This That These Those There Here After Before During Since When While As With And But Or Both Each Every All Some Most No Not Only However Today Now Later Then In Until Under Over About Another Other One Two Three First Second Third Last Next Its We I You Our".split(
    " ",
  ),
);
const MONTHS =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/;
const NAMES =
  /\p{Lu}[\p{L}\p{N}'’&-]*(?: (?:(?:of|the|de|la|von|van|der|du|di) )*(?:\p{Lu}[\p{L}\p{N}'’&-]*|(?:[1-9]\d{0,2}(?![\d.,%]| ?\p{L}))))*/gu;
const CHINESE_NAME =
  /^(?:[“「《]([^”」》]{1,30})[”」》]|([\p{Script=Han}\p{L}\p{N}·]{2,20}?)(?=位于|坐落|成立|建成|建于|开业|始建|全长|总长|拥有|现有|设有|共有|占地|是|为|于|在|的|有|共|达|年|，|,|（|\())/u;
const CHINESE_PRONOUN = /^(?:它|该|其|这|此|他|她|本|全|目前|现在|今天|到)/u;

/** What a sentence is about: the first name in it; null where it names nothing (`It opened in 1923`). */
export function nameIn(sentence: string): string | null {
  if (/^\P{L}*\p{Script=Han}/u.test(sentence)) {
    const found = CHINESE_NAME.exec(sentence.replace(/^\s*[-*+•]\s*/, ""));
    const name = found?.[1] ?? found?.[2];
    return name === undefined || CHINESE_PRONOUN.test(name) ? null : name;
  }
  for (const { 0: found } of sentence.matchAll(NAMES)) {
    const words = found.split(" ");
    while (words.length > 0 && NO_NAMES.has(words[0] ?? "")) words.shift();
    if (words.length > 0 && !MONTHS.test(words[0] ?? "")) return words.join(" ");
  }
  return null;
}
