import type { Confusion, Share } from "./confusion.js";

/** How often checks were right, for people: the same cells in a terminal and in Markdown. */
export const CONFUSION_HEADERS: readonly string[] = [
  "check",
  "○ rej.",
  "○ acc.",
  "● rej.",
  "● acc.",
  "unscored",
  "caught",
  "false alarms",
];

/** What is counted, and what the intervals leave out. */
const CONFUSION_NOTE =
  "candidates: ○ wrong, ● right (a pass), rejected or accepted; Wilson 95 % intervals, as if candidates were independent";

export function confusionRows(confusions: readonly Confusion[]): string[][] {
  return confusions.map((one) => [
    one.judge,
    String(one.rejected_wrong),
    String(one.accepted_wrong),
    String(one.rejected_right),
    String(one.accepted_right),
    one.unscored === 0 ? "" : String(one.unscored),
    shareText(one.caught),
    shareText(one.false_alarms),
  ]);
}

/** `80 % (38–96)` */
function shareText({ rate, ci95 }: Share): string {
  if (rate === null || ci95 === null) return "–";
  return `${Math.round(rate * 100)} % (${ci95.map((end) => Math.round(end * 100)).join("–")})`;
}

/** What else there is to know of the table; each a sentence. */
export function confusionNotes({ silent_rules }: { readonly silent_rules: readonly string[] }): string[] {
  return [CONFUSION_NOTE, ...(silent_rules.length === 0 ? [] : [`rejected nothing: ${silent_rules.join(", ")}`])];
}
