/** A stored code and what it means, as a text states it. */
export interface StatedCode {
  readonly code: string;
  readonly meaning: string;
}

const MEANS =
  "(?:=|:|：|means?|meaning|stands? for|indicates?|represents?|denotes?|refers? to|is for|for|is|are|表示|代表|指|为|是)";
const QUOTED = String.raw`(?:'([^']{1,40})'|"([^"]{1,40})"|“([^”]{1,40})”|\x60([^\x60]{1,40})\x60)`;

/** Codes in quotes with their meanings, else short bare ones: `'A' stands for …; 'B' …`, `0 = no, 1 = yes`, `F: female`. */
export function codesIn(text: string): readonly StatedCode[] {
  const quoted = pairs(text, new RegExp(`${QUOTED}\\s*(?:\\([^)]*\\)\\s*)?${MEANS}\\s*`, "giu"));
  if (quoted.length > 0) return quoted;
  const bare = pairs(
    text,
    /(?<![\p{L}\p{N}.])([A-Z]{1,3}|\d{1,3}|[+\-=#])\s*(?:=|:|：|means?|stands? for|indicates?|表示|代表|为)\s*/gu,
  );
  return bare.length > 1 ? bare : [...bare, ...reversed(text)];
}

function pairs(text: string, pattern: RegExp): readonly StatedCode[] {
  const matches = [...text.matchAll(pattern)];
  return matches.flatMap((match, index) => {
    const code = match.slice(1).find((group) => group !== undefined);
    const rest = text.slice(match.index + match[0].length, matches[index + 1]?.index ?? text.length);
    const meaning = firstClause(rest);
    return code === undefined || meaning === "" ? [] : [{ code, meaning }];
  });
}

/** `female is coded 'F'`, `active ('A')`. */
function reversed(text: string): readonly StatedCode[] {
  const pattern = new RegExp(
    String.raw`([\p{L} -]{3,40}?)\s*(?:is|are)?\s*(?:coded|marked|recorded|stored|written)?\s*(?:as)?\s*\(?\s*${QUOTED}\s*\)?`,
    "giu",
  );
  return [...text.matchAll(pattern)].flatMap((match) => {
    const code = match.slice(2).find((group) => group !== undefined);
    return code === undefined || match[1] === undefined || !/coded|marked|recorded|stored|written|\(/.test(match[0])
      ? []
      : [{ code, meaning: match[1].trim() }];
  });
}

/** Up to the end of the clause, without the comma or conjunction before the next code. */
function firstClause(text: string): string {
  const end = text.search(/[;；。|]|\.(?:\s|$)|$/u);
  return text
    .slice(0, end < 0 ? undefined : end)
    .replace(/[,，、]?\s*(?:and|or|while|与|和)?\s*$/iu, "")
    .trim();
}
