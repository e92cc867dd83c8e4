import { changedKeys } from "../../core/changed-keys.js";
import { UsageError } from "../../core/errors.js";
import { isValid } from "../../core/outcome.js";
import type { RunStart } from "../../core/run-record.js";
import { type Bootstrap, bootstrap } from "../../stats/bootstrap.js";
import { mean } from "../../stats/intervals.js";
import { mcnemar, type PairedDelta, pairedDelta } from "../../stats/paired.js";
import { type SignFlip, signFlip } from "../../stats/sign-flip.js";
import { upperBound, type Verdict, verdictOf } from "../../stats/verdict.js";
import { counted } from "../numbers.js";
import { type PlanSummary, summarisePlans } from "../plan-summary.js";
import type { RunFacts } from "../run-facts.js";
import type { TaskClass } from "../task-summary.js";
import { type Metric, taskMean } from "../task-summary.js";
import { decideGate, type FailOn, type GateResult } from "./diff-gate.js";
import {
  type DiffArm,
  type DiffTask,
  diffArm,
  type LeftOut,
  type Pairing,
  pairTasks,
  profilesOf,
  type TaskPair,
} from "./diff-pairs.js";
import { type SecondaryRow, secondaryRows } from "./diff-secondary.js";

export interface DiffOptions {
  readonly metric: Metric;
  readonly fail_on: FailOn;
  /** 0 … 1. */
  readonly margin: number;
  /** Arms to compare with each other; empty: those of the same name. */
  readonly arms: readonly { readonly base: string; readonly head: string }[];
}

/** One arm of head against one of base. `diff A B --json` has these fields (DESIGN §8); null is "undefined here", never 0. */
export interface Comparison extends LeftOut, Omit<PairedDelta, "tasks"> {
  /** Run ids. */
  readonly base: string;
  readonly head: string;
  readonly base_arm: string;
  readonly head_arm: string;
  readonly base_run: RunLabel;
  readonly head_run: RunLabel;
  /** What the profiles differ in: dotted key → values. */
  readonly profile_changes: readonly { readonly key: string; readonly before: unknown; readonly after: unknown }[];
  readonly metric: Metric;
  /** Tasks that both have and that are comparable: the T of everything below. */
  readonly common: number;
  readonly base_mean: number;
  readonly head_mean: number;
  /** Two-sided. */
  readonly p_sign_flip: number;
  readonly sign_flip: Omit<SignFlip, "p">;
  /** McNemar's exact p where every common task was scored once on each side; null otherwise. */
  readonly p_mcnemar: number | null;
  /** Of Δ; null below two tasks, where no task changed, and from 1,000 tasks on, where it says what the t interval says. */
  readonly bootstrap: Bootstrap | null;
  /** One-sided 95 % upper bound of Δ: what the default gate holds against the margin. */
  readonly upper_bound: number | null;
  readonly verdict: Verdict;
  readonly both_passed: number;
  readonly both_missed: number;
  /** Tasks that passed at least once in base and never in head. */
  readonly only_base: number;
  readonly only_head: number;
  /** Sorted by change, drops first. */
  readonly tasks: readonly ComparedTask[];
  readonly secondary: readonly SecondaryRow[];
  /** Where verification stopped, over the valid trials of common tasks; null where those had no plans. */
  readonly plans: { readonly base: PlanSummary | null; readonly head: PlanSummary | null };
  readonly gate: GateResult;
}

/** What a run was made of, for people. */
export interface RunLabel {
  readonly started_at: string;
  readonly suite: string;
  readonly model: string;
  readonly strategy: string;
  /** Short, with `-dirty` where files differed from it; null outside of git. */
  readonly commit: string | null;
  /** `2/4` where the run is a part of a plan. */
  readonly shard: string | null;
}

export interface ComparedTask {
  readonly task_id: string;
  readonly base: TaskSide;
  readonly head: TaskSide;
  /** Head's pass rate (or mean score) less base's, −1 … 1. */
  readonly change: number;
}

export interface TaskSide {
  readonly passes: number;
  /** Trials with a valid outcome; `scored` of them have a score and make the rate. */
  readonly valid: number;
  readonly scored: number;
  readonly class: TaskClass;
  readonly mean_score: number | null;
}

export interface Compared {
  readonly comparisons: readonly Comparison[];
  /** Arms that have nothing in common with their counterpart, in words; others have. */
  readonly left_out: readonly string[];
}

/**
 * Compares each arm of head with its counterpart in base. Throws UsageError where arms or tasks leave nothing to compare: that is no
 * result, least of all "no change".
 */
export function compareRuns(base: RunFacts, head: RunFacts, options: DiffOptions): Compared {
  const pairs = options.arms.length > 0 ? options.arms : armsOfSameName(base.start, head.start);
  const comparisons: Comparison[] = [];
  const left_out: string[] = [];
  for (const { base: was, head: is } of pairs) {
    const [before, after] = [armNamed(base, was, "base"), armNamed(head, is, "head")];
    const pairing = pairTasks(before, after, options.metric);
    if (pairing.pairs.length > 0) comparisons.push(compareArms(before, after, pairing, options));
    else left_out.push(...nothingLeft(before, after, pairing, pairs.length > 1));
  }
  if (comparisons.length === 0) throw new UsageError(left_out);
  return { comparisons, left_out };
}

function armsOfSameName(base: RunStart, head: RunStart): { base: string; head: string }[] {
  const common = base.arms.filter((arm) => head.arms.includes(arm));
  if (common.length > 0) return common.map((arm) => ({ base: arm, head: arm }));
  const list = ({ run_id, arms }: RunStart) => `${run_id} has ${arms.join(" · ")}`;
  throw new UsageError(
    `no arms of the same name: ${list(base)}; ${list(head)}; say which to compare with --arm BASE:HEAD`,
  );
}

function armNamed(facts: RunFacts, arm: string, side: string): DiffArm {
  const { run_id, arms } = facts.start;
  if (arms.includes(arm)) return diffArm(facts, arm);
  throw new UsageError(`--arm: ${side} ${run_id} has no arm ${arm}; its arms are ${arms.join(" · ")}`);
}

/** Reasons shown where nothing can be compared. */
const MOST_REASONS = 10;

function nothingLeft(base: DiffArm, head: DiffArm, pairing: Pairing, several: boolean): string[] {
  const { incomparable, only_in_base, only_in_head } = pairing;
  const arm = several ? ` of arm ${base.arm}` : "";
  const shown = incomparable.slice(0, MOST_REASONS).map(({ task_id, why }) => `  ${task_id}: ${why}`);
  const more = incomparable.length - shown.length;
  return [
    `nothing${arm} to compare: no task is the same in ${base.start.run_id} and ${head.start.run_id} (${only_in_base.length} only in base, ${only_in_head.length} only in head, ${incomparable.length} not comparable)`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Below so many tasks a bootstrap can differ from the t interval enough to be worth its time. */
const BOOTSTRAP_TASKS = 1000;

function compareArms(base: DiffArm, head: DiffArm, pairing: Pairing, options: DiffOptions): Comparison {
  const { metric } = options;
  const { pairs, ...left } = pairing;
  const changes = pairs.map(({ change }) => change);
  const { tasks: common, ...paired } = pairedDelta(changes);
  const { p, ...flips } = signFlip(changes) ?? { p: 1, flips: 0, exact: true, seed: null };
  const verdict = verdictOf(changes) ?? "no change";
  const profiles = profilesOf(base, head);
  const of = (side: "base" | "head") => mean(pairs.flatMap((pair) => taskMean(pair[side].summary, metric) ?? [])) ?? 0;
  const tasks = pairs.map(comparedTask).sort(byChange);
  return {
    base: base.start.run_id,
    head: head.start.run_id,
    base_arm: base.arm,
    head_arm: head.arm,
    base_run: labelOf(base, profiles.base),
    head_run: labelOf(head, profiles.head),
    profile_changes: changedKeys(profiles.base, profiles.head).filter(({ key }) => !/^(name$|gate\.)/.test(key)),
    metric,
    common,
    ...left,
    base_mean: of("base"),
    head_mean: of("head"),
    ...paired,
    p_sign_flip: p,
    sign_flip: flips,
    p_mcnemar: mcnemarOf(tasks),
    bootstrap: common < BOOTSTRAP_TASKS && verdict !== "no change" ? bootstrap(changes) : null,
    upper_bound: upperBound(changes),
    verdict,
    ...countGroups(tasks),
    tasks,
    secondary: secondaryRows(pairs),
    plans: {
      base: summarisePlans(pairs.flatMap(({ base }) => base.valid)),
      head: summarisePlans(pairs.flatMap(({ head }) => head.valid)),
    },
    gate: decideGate(
      {
        tasks: pairs.map((pair) => ({ ...comparedTask(pair), base_mean: taskMean(pair.base.summary, metric) ?? 0 })),
        head: new Map([...head.tasks].map(([id, task]) => [id, sideOf(task)])),
      },
      { fail_on: options.fail_on, margin: options.margin, must_pass: head.start.profile.gate.must_pass },
    ),
  };
}

function labelOf({ start }: DiffArm, { model, agent }: RunStart["profile"]): RunLabel {
  return {
    started_at: start.at,
    suite: start.suite.name,
    model: `${model.provider}/${model.name}`,
    strategy: agent.strategy,
    commit: start.git === null ? null : `${start.git.commit.slice(0, 9)}${start.git.dirty ? "-dirty" : ""}`,
    shard: start.shard === null ? null : `${start.shard.index}/${start.shard.count}`,
  };
}

/** Changes that are equal but for rounding stay in the order of their ids. */
function byChange(a: ComparedTask, b: ComparedTask): number {
  const difference = a.change - b.change;
  return Math.abs(difference) < 1e-9 ? 0 : difference;
}

function comparedTask({ task_id, base, head, change }: TaskPair): ComparedTask {
  return { task_id, base: sideOf(base), head: sideOf(head), change };
}

function sideOf({ summary }: DiffTask): TaskSide {
  const { passes, valid, scored, mean_score } = summary;
  return { passes: passes ?? 0, valid, scored, class: summary.class, mean_score };
}

function countGroups(tasks: readonly ComparedTask[]) {
  const count = (base: boolean, head: boolean) =>
    tasks.filter((task) => task.base.passes > 0 === base && task.head.passes > 0 === head).length;
  return {
    both_passed: count(true, true),
    both_missed: count(false, false),
    only_base: count(true, false),
    only_head: count(false, true),
  };
}

function mcnemarOf(tasks: readonly ComparedTask[]): number | null {
  if (tasks.some(({ base, head }) => base.scored !== 1 || head.scored !== 1)) return null;
  const { only_base, only_head } = countGroups(tasks);
  return mcnemar(only_base, only_head);
}

/** In words why a run is not whole; empty where it is. Its rates would be those of some other plan. */
export function whatIsMissing({ start, status, trials }: RunFacts): string[] {
  const planned = start.tasks.length * start.arms.length * start.repeats;
  const infra = [...trials.values()].filter(({ outcome }) => !isValid(outcome)).length;
  return [
    ...(status === "completed" ? [] : [`it was ${status}`]),
    ...(trials.size < planned ? [`${planned - trials.size} of ${planned} trials have no end`] : []),
    ...(infra > start.profile.gate.max_infra ? [`${counted(infra, "trial")} ended in infrastructure errors`] : []),
  ];
}
