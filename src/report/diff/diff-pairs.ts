import { naturalOrder } from "../../core/natural-order.js";
import { type PlannedTask, profileOf, type RunStart } from "../../core/run-record.js";
import { groupBy } from "../counting.js";
import type { RunFacts, ScoreFacts, TrialFacts } from "../run-facts.js";
import type { TaskSummary } from "../task-summary.js";
import { type Metric, summariseTasks, taskMean } from "../task-summary.js";

/** One arm of one run, ready to be compared. */
export interface DiffArm {
  readonly arm: string;
  readonly start: RunStart;
  readonly tasks: ReadonlyMap<string, DiffTask>;
}

export interface DiffTask {
  readonly planned: PlannedTask;
  readonly summary: TaskSummary;
  /** Those with a valid outcome. */
  readonly valid: readonly TrialFacts[];
}

/** A task that both sides have and that means the same on both. */
export interface TaskPair {
  readonly task_id: string;
  readonly base: DiffTask;
  readonly head: DiffTask;
  /** Head's pass rate (or mean score) less base's, −1 … 1. */
  readonly change: number;
}

/** Tasks that are in no pair, in natural order of their ids. */
export interface LeftOut {
  readonly only_in_base: readonly string[];
  readonly only_in_head: readonly string[];
  readonly incomparable: readonly { readonly task_id: string; readonly why: string }[];
}

export interface Pairing extends LeftOut {
  /** In natural order of their ids. */
  readonly pairs: readonly TaskPair[];
}

/** The tasks of an arm with their trials. */
export function diffArm(facts: RunFacts, arm: string): DiffArm {
  const trials = [...facts.trials.values()].filter((trial) => trial.arm === arm);
  const byTask = groupBy(trials, ({ task_id }) => task_id);
  const planned = new Map(facts.start.tasks.map((task) => [task.task_id, task]));
  const tasks = new Map<string, DiffTask>();
  for (const summary of summariseTasks(trials, facts.start)) {
    const plan = planned.get(summary.task_id);
    if (plan === undefined) continue;
    const ended = byTask.get(summary.task_id) ?? [];
    tasks.set(summary.task_id, {
      planned: plan,
      summary,
      valid: ended.filter(({ outcome }) => outcome.kind !== "infra-error"),
    });
  }
  return { arm, start: facts.start, tasks };
}

/**
 * Pairs the tasks of two arms by id, whatever their order. A task is left out, with the reason, where its input or its gold is another, where it was
 * scored by other rules, or where a side has nothing scored: such a difference would say nothing of the agent.
 */
export function pairTasks(base: DiffArm, head: DiffArm, metric: Metric): Pairing {
  const rules = otherRules(base.start, head.start);
  const primary = base.start.profile.scoring.primary;
  const pairs: TaskPair[] = [];
  const incomparable: { task_id: string; why: string }[] = [];
  for (const task_id of [...base.tasks.keys()].sort(naturalOrder)) {
    const before = base.tasks.get(task_id);
    const after = head.tasks.get(task_id);
    if (before === undefined || after === undefined) continue;
    const why = rules ?? whyIncomparable(before, after, primary);
    const [was, is] = [taskMean(before.summary, metric), taskMean(after.summary, metric)];
    if (why !== null) incomparable.push({ task_id, why });
    else if (was === null || is === null) incomparable.push({ task_id, why: nothingScored(was, is) });
    else pairs.push({ task_id, base: before, head: after, change: is - was });
  }
  return {
    pairs,
    only_in_base: idsOnlyIn(base, head),
    only_in_head: idsOnlyIn(head, base),
    incomparable,
  };
}

function idsOnlyIn(one: DiffArm, other: DiffArm): string[] {
  return [...one.tasks.keys()].filter((task_id) => !other.tasks.has(task_id)).sort(naturalOrder);
}

/** What a pass is has to be the same for all tasks. */
function otherRules(base: RunStart, head: RunStart): string | null {
  const [before, after] = [ruleOf(base), ruleOf(head)];
  return before === after ? null : `a pass is ${after} in head, ${before} in base`;
}

function ruleOf({ profile }: RunStart): string {
  const { primary, pass_min_score } = profile.scoring;
  return pass_min_score === null ? `perfect by ${primary}` : `at least ${pass_min_score} by ${primary}`;
}

function whyIncomparable(base: DiffTask, head: DiffTask, primary: string): string | null {
  const [before, after] = [base.planned.input_digest, head.planned.input_digest];
  if (before === null || after === null) return "an imported run does not tell its input: import it with --tasks";
  if (before !== after) return "the input changed";
  for (const scorer of decidingScorers(primary, [...base.valid, ...head.valid])) {
    const why = otherScoring(base, head, scorer);
    if (why !== null) return why;
  }
  return null;
}

/** The scorers that a pass depends on: the primary one, and those with a check that was made a gate and failed. */
function decidingScorers(primary: string, trials: readonly TrialFacts[]): ReadonlySet<string> {
  const gates = trials.flatMap(({ scores }) =>
    [...scores].flatMap(([scorer, { gate_failed }]) => (gate_failed ? [scorer] : [])),
  );
  return new Set([primary, ...gates]);
}

function otherScoring(base: DiffTask, head: DiffTask, scorer: string): string | null {
  const before = scoresBy(base, scorer);
  const after = scoresBy(head, scorer);
  const [versions, newVersions] = [versionsOf(before), versionsOf(after)];
  if (before.length > 0 && after.length > 0 && versions !== newVersions) {
    return `${scorer} is version ${newVersions} in head, ${versions} in base: score both runs again`;
  }
  const bases = new Set([...before, ...after].map(({ basis }) => basis));
  const otherGold = base.planned.gold_digest !== head.planned.gold_digest;
  // Equal bases prove equal golds, but a plan's gold stands only for scores that are the run's own.
  if (otherGold && (bases.size > 1 || ![...before, ...after].some(({ rescored }) => rescored))) {
    return "gold or checks changed: score both runs again";
  }
  return bases.size > 1 ? "scored with other options, gold or checks: score both runs again" : null;
}

function scoresBy(task: DiffTask, scorer: string): ScoreFacts[] {
  return task.valid.flatMap(({ scores }) => scores.get(scorer) ?? []);
}

function versionsOf(scores: readonly ScoreFacts[]): string {
  return [...new Set(scores.map(({ version }) => version))].sort().join(" and ");
}

function nothingScored(base: number | null, head: number | null): string {
  const where = base === null && head === null ? "either run" : base === null ? "base" : "head";
  return `no trial has a score in ${where}`;
}

/** The profiles that the two arms ran with. */
export function profilesOf(base: DiffArm, head: DiffArm) {
  return { base: profileOf(base.start, base.arm), head: profileOf(head.start, head.arm) };
}
