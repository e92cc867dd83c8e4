import { holm } from "../../stats/holm.js";
import { mean } from "../../stats/intervals.js";
import { pairedDelta } from "../../stats/paired.js";
import { signFlip } from "../../stats/sign-flip.js";
import type { TrialFacts } from "../run-facts.js";
import type { DiffTask, TaskPair } from "./diff-pairs.js";

/** What is compared beside the headline: exploratory, never a gate. Means of task means over valid trials of common tasks. */
export interface SecondaryRow {
  readonly measure: MeasureName;
  /** Common tasks for which both sides know it. */
  readonly tasks: number;
  readonly base: number;
  readonly head: number;
  readonly delta: number;
  readonly stderr: number | null;
  /** Two-sided, of one row alone: sign-flip below 30 tasks, else paired t. Null where nothing differs. */
  readonly p: number | null;
  /** The same, adjusted by Holm for there being several rows. */
  readonly p_holm: number | null;
}

export type MeasureName = "claims" | "red_claims" | "discipline" | "cost_usd" | "tokens" | "seconds" | "steps";

interface Measure {
  readonly name: MeasureName;
  /** The scorer whose rules have to be the same on both sides. */
  readonly scorer: string | null;
  readonly of: (trial: TrialFacts) => number | null;
}

const MEASURES: readonly Measure[] = [
  { name: "claims", scorer: "claims", of: ({ scores }) => scores.get("claims")?.value ?? null },
  { name: "red_claims", scorer: "claims", of: ({ scores }) => scores.get("claims")?.red_claims ?? null },
  { name: "discipline", scorer: "line-format", of: ({ scores }) => scores.get("line-format")?.value ?? null },
  { name: "cost_usd", scorer: null, of: ({ cost_usd }) => cost_usd },
  { name: "tokens", scorer: null, of: ({ tokens }) => tokens },
  { name: "seconds", scorer: null, of: ({ seconds }) => seconds },
  { name: "steps", scorer: null, of: ({ steps }) => steps },
];

/** From so many tasks on a mean is near enough to normal for a t test. */
const T_TEST_TASKS = 30;

/** A row for each measure that both sides know of at least one common task. */
export function secondaryRows(pairs: readonly TaskPair[]): SecondaryRow[] {
  const rows = MEASURES.flatMap((measure) => compareMeasure(measure, pairs));
  const tested = rows.flatMap(({ p }) => p ?? []);
  const adjusted = holm(tested)[Symbol.iterator]();
  return rows.map((row) => ({ ...row, p_holm: row.p === null ? null : (adjusted.next().value ?? null) }));
}

function compareMeasure(measure: Measure, pairs: readonly TaskPair[]): Omit<SecondaryRow, "p_holm">[] {
  const both = pairs.flatMap(({ base, head }) => {
    if (!sameRules(measure.scorer, base, head)) return [];
    const was = mean(base.valid.flatMap((trial) => measure.of(trial) ?? []));
    const is = mean(head.valid.flatMap((trial) => measure.of(trial) ?? []));
    return was === null || is === null ? [] : [{ was, is }];
  });
  const base = mean(both.map(({ was }) => was));
  const head = mean(both.map(({ is }) => is));
  if (base === null || head === null) return [];
  const differences = both.map(({ was, is }) => is - was);
  const { stderr, p } = pairedDelta(differences);
  const chance = differences.every((difference) => difference === 0)
    ? null
    : both.length < T_TEST_TASKS
      ? (signFlip(differences)?.p ?? null)
      : p;
  return [{ measure: measure.name, tasks: both.length, base, head, delta: head - base, stderr, p: chance }];
}

function sameRules(scorer: string | null, base: DiffTask, head: DiffTask): boolean {
  if (scorer === null) return true;
  return new Set([...base.valid, ...head.valid].flatMap(({ scores }) => scores.get(scorer)?.basis ?? [])).size <= 1;
}
