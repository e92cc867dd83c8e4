import { mean } from "../../stats/intervals.js";
import { oneSidedTest, upperBound } from "../../stats/verdict.js";
import { chance, counted, points } from "../numbers.js";

export const FAIL_ON = ["worse", "task-regression", "any-drop", "never"] as const;
/**
 * When a comparison fails. `worse`: the drop is larger than the margin and than chance (spec/statistics.md). `task-regression`: any task that
 * most trials passed is now missed by most. `any-drop`: the mean dropped, however little. The last two alarm often where nothing changed (see the statistics in the README).
 */
export type FailOn = (typeof FAIL_ON)[number];

export interface GateRule {
  readonly fail_on: FailOn;
  /** A drop up to this is let pass, 0 … 1. */
  readonly margin: number;
  /** Of these every trial of the head has to pass. */
  readonly must_pass: readonly string[];
}

/** What a gate looks at. */
export interface GateEvidence {
  /** The common tasks. */
  readonly tasks: readonly GateTask[];
  /** Passes and scored trials of the head's tasks, also of those that base has not. */
  readonly head: ReadonlyMap<string, Counts>;
}

export interface GateTask {
  readonly task_id: string;
  readonly base: Counts;
  readonly head: Counts;
  /** Base's pass rate, or mean score. */
  readonly base_mean: number;
  /** Head's less that, −1 … 1. */
  readonly change: number;
}

interface Counts {
  readonly passes: number;
  readonly scored: number;
}

export interface GateResult {
  readonly failed: boolean;
  /** False where there is too little data to tell: the gate then passes, and says so. */
  readonly decided: boolean;
  readonly reason: string;
  readonly fail_on: FailOn;
  readonly margin: number;
  /** Tasks that the gate fails for; empty where it fails for all of them together. */
  readonly failing_tasks: readonly string[];
}

/**
 * Whether a comparison fails by a rule, and why. `must_pass` counts beside every rule but `never`, also for tasks that base has not: a listed task that is
 * not in head was not shown to pass.
 */
export function decideGate({ tasks, head }: GateEvidence, rule: GateRule): GateResult {
  const { fail_on, margin } = rule;
  const main = decide(tasks, rule);
  if (fail_on === "never") return { ...main, fail_on, margin };
  const missed = rule.must_pass.flatMap((task_id) => {
    const counts = head.get(task_id);
    if (counts !== undefined && counts.scored > 0 && counts.passes === counts.scored) return [];
    return [{ task_id, found: counts === undefined ? "not in head" : inWords(counts) }];
  });
  return {
    failed: main.failed || missed.length > 0,
    decided: main.decided || missed.length > 0,
    reason: [...missed.map(({ task_id, found }) => `${task_id} must pass: ${found}`), main.reason].join("; "),
    fail_on,
    margin,
    failing_tasks: [...new Set([...missed.map(({ task_id }) => task_id), ...main.failing_tasks])],
  };
}

type Decision = Pick<GateResult, "failed" | "decided" | "reason" | "failing_tasks">;

function decide(tasks: readonly GateTask[], { fail_on, margin }: GateRule): Decision {
  switch (fail_on) {
    case "worse":
      return worse(tasks, margin);
    case "any-drop":
      return anyDrop(tasks, margin);
    case "task-regression":
      return taskRegression(tasks);
    case "never":
      return { failed: false, decided: true, reason: "nothing fails (never)", failing_tasks: [] };
  }
}

function worse(tasks: readonly GateTask[], margin: number): Decision {
  const differences = tasks.map(({ change }) => change);
  const beyond = margin === 0 ? "" : ` by more than ${(margin * 100).toFixed(1)} points`;
  const test = oneSidedTest(differences, "worse", margin);
  if (!test.holds && !couldTell(tasks, margin)) {
    const reason = `cannot decide: had head missed all of the ${counted(tasks.length, "common task")}, that could still be chance`;
    return { failed: false, decided: false, reason, failing_tasks: [] };
  }
  const bound = upperBound(differences);
  const evidence = `one-sided ${test.method} p ${chance(test.p)}${bound === null ? "" : `, 95 % upper bound ${points(bound)}`}`;
  const reason = `head is ${test.holds ? "" : "not shown to be "}worse${beyond} (${evidence})`;
  return { failed: test.holds, decided: true, reason, failing_tasks: [] };
}

/** Whether the largest drop that there can be would show. */
function couldTell(tasks: readonly GateTask[], margin: number): boolean {
  return oneSidedTest(
    tasks.map(({ base_mean }) => -base_mean),
    "worse",
    margin,
  ).holds;
}

/** Rounding must not make a drop of just the margin smaller than it. */
const ROUNDING = 1e-9;

function anyDrop(tasks: readonly GateTask[], margin: number): Decision {
  const delta = mean(tasks.map(({ change }) => change));
  if (delta === null)
    return { failed: false, decided: false, reason: "cannot decide: no task in common", failing_tasks: [] };
  const failed = delta < -ROUNDING && delta <= -margin + ROUNDING;
  const least = margin === 0 ? "" : ` of at least ${(margin * 100).toFixed(1)} points`;
  return {
    failed,
    decided: true,
    reason: `${failed ? "a" : "no"} drop${least} (Δ ${points(delta)})`,
    failing_tasks: [],
  };
}

function taskRegression(tasks: readonly GateTask[]): Decision {
  const flipped = tasks.filter(({ base, head }) => mostPass(base) && !mostPass(head));
  const shown = flipped.map(({ task_id, base, head }) => `${task_id} ${inWords(base)} → ${inWords(head)}`);
  const reason =
    flipped.length === 0 ? "no task that most trials passed is missed by most" : `regressed: ${shown.join(", ")}`;
  return { failed: flipped.length > 0, decided: true, reason, failing_tasks: flipped.map(({ task_id }) => task_id) };
}

const mostPass = ({ passes, scored }: Counts): boolean => passes * 2 > scored;
const inWords = ({ passes, scored }: Counts): string => `${passes}/${scored}`;
