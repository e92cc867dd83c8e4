import { changedKeys } from "../../core/changed-keys.js";
import { stableJson } from "../../core/digest.js";
import type { Profile } from "../../core/profile.js";
import { type PlannedTask, profileOf, sandboxOf } from "../../core/run-record.js";
import { changedSandboxes } from "../arm-sandboxes.js";
import type { RunState } from "../run-state.js";

/** A run that did one part of a plan, and how a person names it. */
export interface ShardRun {
  readonly name: string;
  readonly state: RunState;
}

/**
 * Why two runs are not parts of one plan, a line each; empty where they are. Everything that can change what a trial does or how it is
 * scored has to be the same: then it is no matter which of them did which task.
 */
export function shardDifferences(first: ShardRun, other: ShardRun): string[] {
  const [a, b] = [first.state.start, other.state.start];
  const found = [
    ...(a.versions.daw_eval === b.versions.daw_eval
      ? []
      : [`daw-eval ${b.versions.daw_eval}, there ${a.versions.daw_eval}`]),
    ...(a.shard?.count === b.shard?.count ? [] : [`dealt into ${b.shard?.count} parts, there ${a.shard?.count}`]),
    ...taskDifferences(a.shard?.tasks ?? [], b.shard?.tasks ?? []),
    ...(stableJson(a.arms) === stableJson(b.arms)
      ? profileDifferences(first, other)
      : [`the arms are ${b.arms.join(", ")}, there ${a.arms.join(", ")}`]),
    ...(stableJson(a.claim_checks) === stableJson(b.claim_checks)
      ? []
      : ["the checks of claims before delivery differ"]),
    ...(stableJson(a.additions) === stableJson(b.additions)
      ? []
      : [`a program's additions are ${b.additions.join(", ") || "none"}, there ${a.additions.join(", ") || "none"}`]),
    ...scorerDifferences(first.state, other.state),
  ];
  return found.map((difference) => `${other.name} is no part of the plan of ${first.name}: ${difference}`);
}

/** Ids named in one line. */
const MOST_NAMED = 5;

function taskDifferences(there: readonly PlannedTask[], here: readonly PlannedTask[]): string[] {
  const [before, after] = [byId(there), byId(here)];
  const both = here.filter(({ task_id }) => before.has(task_id));
  const changed = (digest: "input_digest" | "gold_digest") =>
    both.filter((task) => before.get(task.task_id)?.[digest] !== task[digest]);
  return [
    ...listed(
      "tasks that are not planned there",
      here.filter(({ task_id }) => !before.has(task_id)),
    ),
    ...listed(
      "tasks are planned there only",
      there.filter(({ task_id }) => !after.has(task_id)),
    ),
    ...listed("the input differs of", changed("input_digest")),
    ...listed("gold or checks differ of", changed("gold_digest")),
  ];
}

const byId = (tasks: readonly PlannedTask[]) => new Map(tasks.map((task) => [task.task_id, task]));

function listed(what: string, tasks: readonly PlannedTask[]): string[] {
  if (tasks.length === 0) return [];
  const named = tasks.slice(0, MOST_NAMED).map(({ task_id }) => task_id);
  return [`${what}: ${named.join(", ")}${tasks.length > MOST_NAMED ? `, … (${tasks.length})` : ""}`];
}

function profileDifferences({ state: { start: a } }: ShardRun, { state: { start: b } }: ShardRun): string[] {
  const sandboxes = new Map(b.arms.map((arm) => [arm, sandboxOf(b, arm)]));
  const keys = new Set(
    b.arms.flatMap((arm) =>
      changedKeys(compared(profileOf(a, arm)), compared(profileOf(b, arm))).map(({ key }) => key),
    ),
  );
  return [
    ...(keys.size === 0 ? [] : [`the profiles differ in ${[...keys].join(", ")}`]),
    ...changedSandboxes(a, sandboxes),
  ];
}

/** What does not matter to a trial or a gate is left out. */
function compared({ name: _name, concurrency: _concurrency, ...rest }: Profile) {
  return rest;
}

function scorerDifferences(there: RunState, here: RunState): string[] {
  const [before, after] = [scorerVersions(there), scorerVersions(here)];
  return [...after].flatMap(([scorer, version]) => {
    const other = before.get(scorer);
    return other === undefined || other === version
      ? []
      : [`scored by ${scorer} version ${version}, there ${other}: score both again`];
  });
}

/** Of each scorer; several where scores of several versions stand. */
function scorerVersions({ scores }: RunState): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const byScorer of scores.values()) {
    for (const [scorer, { scorer_version }] of byScorer) {
      found.set(scorer, (found.get(scorer) ?? new Set()).add(scorer_version));
    }
  }
  return new Map([...found].map(([scorer, versions]) => [scorer, [...versions].sort().join(" and ")]));
}
