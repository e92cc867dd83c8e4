import type { RunStart } from "../core/run-record.js";
import type { ArmSummary } from "./arm-summary.js";
import { counted, percent, score3 } from "./numbers.js";
import type { Metric, TaskSummary } from "./task-summary.js";

export interface PassGate {
  /** The least mean that was asked for, 0 … 1; null where none was. */
  readonly min_pass: number | null;
  /** Tasks of which every scored trial has to pass, in every arm. */
  readonly must_pass: readonly string[];
  readonly failed: boolean;
  /** One line: which arm, what was asked, what was found. */
  readonly reason: string;
}

interface Judged {
  readonly failed: boolean;
  readonly reason: string;
}

/**
 * Whether a run is good enough by itself: every arm's mean is at least `least`, and the tasks that the profile lists under `must_pass` pass. An arm with
 * nothing scored fails, and so does a listed task that the run has not: neither was shown to pass. Null where nothing is asked for.
 */
export function passGate(arms: readonly ArmSummary[], least: number | null, start: RunStart): PassGate | null {
  const { must_pass } = start.profile.gate;
  const judged = [
    ...(must_pass.length === 0 ? [] : [judgeTasks(arms, must_pass, start)]),
    ...(least === null ? [] : [judgeMean(arms, least)]),
  ];
  if (judged.length === 0) return null;
  return {
    min_pass: least,
    must_pass,
    failed: judged.some(({ failed }) => failed),
    reason: judged.map(({ reason }) => reason).join("; "),
  };
}

function judgeMean(arms: readonly ArmSummary[], least: number): Judged {
  const failing = arms.filter((arm) => arm.mean === null || arm.mean < least);
  const [first] = failing.length > 0 ? failing : arms;
  if (first === undefined) return { failed: true, reason: "the run has no arm" };
  const show = shower(first.metric);
  const arm = arms.length > 1 ? ` of arm ${first.arm}` : "";
  const name = first.metric === "score" ? "mean score" : "pass rate";
  const found = first.mean === null ? `no ${name}${arm} (nothing is scored)` : `${name}${arm} ${show(first.mean)}`;
  return {
    failed: failing.length > 0,
    reason: `${found} ${failing.length > 0 ? "is below" : "reaches"} the least of ${show(least)}`,
  };
}

const shower = (metric: Metric) => (metric === "score" ? score3 : percent);

function judgeTasks(arms: readonly ArmSummary[], mustPass: readonly string[], { shard, tasks }: RunStart): Judged {
  // Another shard's task is that shard's to show.
  const own = new Set(tasks.map(({ task_id }) => task_id));
  const elsewhere = new Set(shard?.tasks.map(({ task_id }) => task_id).filter((id) => !own.has(id)));
  const wanted = mustPass.filter((id) => !elsewhere.has(id));
  const missed = arms.flatMap(({ arm, tasks: ran }) =>
    wanted.flatMap((id) => {
      const found = shortcoming(ran.find(({ task_id }) => task_id === id));
      return found === null ? [] : [`${id}${arms.length > 1 ? ` of arm ${arm}` : ""} must pass: ${found}`];
    }),
  );
  if (missed.length > 0) return { failed: true, reason: missed.join("; ") };
  return { failed: false, reason: `${counted(wanted.length, "task")} that must pass: all passed` };
}

/** Null where every scored trial passed. */
function shortcoming(task: TaskSummary | undefined): string | null {
  if (task === undefined) return "not in the run";
  const { passes, scored } = task;
  return passes !== null && scored > 0 && passes === scored ? null : `${passes ?? 0}/${scored}`;
}
