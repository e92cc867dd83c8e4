/** Where a line must stand that a rule asks for. */
export const LINE_PLACES = ["first-line", "any-line", "last-lines"] as const;
export type LinePlace = (typeof LINE_PLACES)[number];

/** A line that a conclusion is to have, in a form that code can check (seed 2, section 7). */
export interface LineRule {
  readonly name: string;
  /** Searched in each line; anchor it with ^ and $ to fix the whole line. */
  readonly pattern: RegExp;
  readonly where: LinePlace;
  /** Without this line the work counts as not delivered. */
  readonly required: boolean;
}

export interface LineRuleResult {
  readonly name: string;
  readonly required: boolean;
  /** The conclusion has such a line in its place. */
  readonly complied: boolean;
  /** The line that complies; null without one. */
  readonly line: string | null;
}

/** `last-lines` are the last so many lines that are not blank: the closing lines may come in any order. */
const LAST_LINES = 3;

/** Which rules a conclusion complies with. Blank lines do not count, nor does white space at a line's end. Pure. */
export function checkLines(conclusion: string | null, rules: readonly LineRule[]): readonly LineRuleResult[] {
  const lines = (conclusion ?? "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  return rules.map(({ name, pattern, where, required }) => {
    const line = placed(lines, where).find((one) => one.search(pattern) !== -1) ?? null;
    return { name, required, complied: line !== null, line };
  });
}

function placed(lines: readonly string[], where: LinePlace): readonly string[] {
  switch (where) {
    case "first-line":
      return lines.slice(0, 1);
    case "any-line":
      return lines;
    case "last-lines":
      return lines.slice(-LAST_LINES);
  }
}
