import { singulars } from "./relationship-names.js";

/** Characters that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}\p{M}]+/gu;

/** Words that questions are made of, whatever they are about. */
const COMMON = new Set(
  `a an the of in on at by to for from with and or not is are was were be been do does did has have had what which who whom whose when
  where how many much list show give find tell me please all each any than then that this these those it its their there as into per
  的 了 是 在 有 和 与 或 个 请 吗 呢 哪 些 什么 多少 哪些 哪个 几个 所有 每个 给出 列出 分别 其中`.split(/\s+/),
);

const LONGEST_PHRASE = 16;
const MOST_UNITS = 400;

/** A text for comparison: no case, accents of Latin letters, possessives or punctuation; one space between words. */
export function keyOf(text: string): string {
  return unitsOf(text).reduce((key, unit) => joined(key, unit), "");
}

/** Words of spaced scripts and single characters of unspaced ones, folded. */
function unitsOf(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/['’]s(?![\p{L}\p{N}])/gu, "");
  return (folded.match(UNSPACED_RUN) ?? []).flatMap((run) => (UNSPACED.test(run) ? [...run] : [run]));
}

function joined(key: string, unit: string): string {
  const last = key.at(-1) ?? "";
  const apart = key !== "" && !(UNSPACED.test(last) || UNSPACED.test(unit));
  return apart ? `${key} ${unit}` : `${key}${unit}`;
}

/** Keys of all phrases in a text: up to 16 neighbouring words or characters each. */
export function phraseKeys(text: string): ReadonlySet<string> {
  const units = unitsOf(text).slice(0, MOST_UNITS);
  const keys = new Set<string>();
  for (let start = 0; start < units.length; start++) {
    let key = "";
    for (const unit of units.slice(start, start + LONGEST_PHRASE)) {
      key = joined(key, unit);
      keys.add(key);
    }
  }
  return keys;
}

/**
 * What a text is found by when only a part of it fits: words without plural endings, and pairs of neighbouring characters in
 * scripts without spaces (where two segmentations of the same words may differ).
 */
export function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const run of keyOf(text).match(UNSPACED_RUN) ?? []) {
    if (!UNSPACED.test(run)) tokens.push(...singulars([run]));
    else if (run.length === 1) tokens.push(run);
    else for (let i = 0; i + 1 < run.length; i++) tokens.push(run.slice(i, i + 2));
  }
  return tokens;
}

/** How much a token says, 0 … 1: little when every question has it or when it is one character. */
export function weightOf(token: string): number {
  if (COMMON.has(token)) return 0.1;
  if (token.length === 1) return UNSPACED.test(token) ? 0.5 : 0.3;
  return 1;
}
