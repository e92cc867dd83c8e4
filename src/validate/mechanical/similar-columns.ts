import { type CheckInput, type CheckOutcome, NOTHING_FOUND } from "./check.js";
import { plainWords } from "./known-text.js";
import type { LightTable } from "./sql/reading.js";
import { submittedReadings, usedTables } from "./submission.js";

/**
 * `similar-columns` (for reports only): a used column stands beside another of its kind whose name shares a word with it, such as
 * `repair_cost` and `total_cost`. Which of them is meant code cannot decide.
 */
export function similarColumns(input: CheckInput): CheckOutcome {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const findings = usedTables(read.submitted).flatMap(({ table, columns }) => {
    const pairs = columns.flatMap((column) => {
      const others = similarTo(column, table).filter((other) => !columns.includes(other));
      return others.length === 0 ? [] : [[column, others] as const];
    });
    if (pairs.length === 0) return [];
    return [
      {
        rule: "similar-columns" as const,
        level: "note" as const,
        evidence: [],
        detail: input.say.similarColumns(table.name, pairs),
      },
    ];
  });
  return findings.length === 0 ? NOTHING_FOUND : { findings };
}

function similarTo(column: string, { columns }: LightTable): readonly string[] {
  const type = columns.find(({ name }) => name === column)?.type;
  const parts = partsOf(column);
  return columns
    .filter(
      (other) =>
        other.name !== column && other.type === type && partsOf(other.name).some((part) => parts.includes(part)),
    )
    .map(({ name }) => name);
}

/** `doc`: what columns of extracted tables that say where a row stands begin with. */
const KEYS: readonly string[] = ["id", "no", "nr", "key", "code", "name", "doc"];

/** Words of a name, keys such as `id` left out; of Chinese names the last two characters, where the kind stands: 收款日期 → 日期. */
function partsOf(name: string): readonly string[] {
  const spaced = plainWords(name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")).split(" ");
  return spaced.flatMap((word) => {
    if (/\p{Script=Han}/u.test(word)) return word.length > 2 ? [word.slice(-2)] : [];
    return word.length > 1 && !KEYS.includes(word) ? [word] : [];
  });
}
