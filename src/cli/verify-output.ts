import path from "node:path";
import type { CheckResult, Finding, FindingLevel } from "../answer/claims/check.js";
import { counted } from "../report/numbers.js";
import type { TerminalStyle } from "../report/render-terminal.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine } from "../report/text-width.js";
import type { Checks } from "../score/checks.js";
import { EXIT } from "./exit.js";

type LevelCounts = Readonly<Record<FindingLevel, number>>;

export function countLevels(findings: readonly Finding[]): LevelCounts {
  const count = (level: FindingLevel) => findings.filter((finding) => finding.level === level).length;
  return { red: count("red"), warn: count("warn"), error: count("error") };
}

/** Names of gate checks that are red. */
export function failedGates(results: readonly CheckResult[], checks: Checks): string[] {
  const gates = new Set(checks.verify.filter(({ gate }) => gate).map(({ name }) => name));
  return results.flatMap(({ check, state }) => (state === "red" && gates.has(check) ? [check] : []));
}

/** A failed gate, or with `failOnRed` any red, is 1. A check that could not be made cannot say "no red": with `failOnRed` it is 3. */
export function exitCodeOfClaims(counts: LevelCounts, gates: readonly string[], failOnRed: boolean): number {
  if (gates.length > 0 || (failOnRed && counts.red > 0)) return EXIT.gateFailed;
  return failOnRed && counts.error > 0 ? EXIT.incomplete : EXIT.fine;
}

const COLUMNS: readonly TableColumn[] = [
  { header: "level", align: "left" },
  { header: "trial", align: "left", min: 12, cut: "middle" },
  { header: "check", align: "left", min: 10, drop: 1 },
  { header: "entity", align: "left", min: 10 },
  { header: "nearest", align: "left", min: 10, drop: 2 },
  { header: "where", align: "left", min: 20, drop: 3 },
];

/** One line a finding; `trial` where the findings are of several answers. */
export function findingLines(
  findings: readonly (Finding & { readonly trial?: string })[],
  { paint, columns }: TerminalStyle,
): string[] {
  const paints = { red: paint.bad, warn: paint.middling, error: paint.middling };
  const rows = findings.map(({ level, trial, check, entity, nearest, sentence, detail }) => [
    { text: level, paint: paints[level] },
    { text: trial ?? "" },
    { text: oneLine(check) },
    { text: oneLine(entity ?? "") },
    { text: oneLine(nearest.join(", ")) },
    { text: oneLine(sentence ?? detail) },
  ]);
  return formatTable(COLUMNS, rows, columns);
}

export function levelsLine({ red, warn, error }: LevelCounts, gates: readonly string[]): string {
  const parts = [`${red} red`, counted(warn, "warning"), counted(error, "error")];
  return `${parts.join(", ")}${gates.length > 0 ? `; failed gates: ${gates.join(", ")}` : ""}`;
}

/** Where labels of a check are: `--labels`, else the check's own file, else `fallback`. */
export function labelFileOf(check: string, checks: Checks, given: string | undefined, fallback: string): string {
  if (given !== undefined) return path.resolve(given);
  return checks.verify.find(({ name }) => name === check)?.labels ?? fallback;
}
