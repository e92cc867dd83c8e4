import { mkdir } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../../core/errors.js";
import type { Clock } from "../../core/ports/clock.js";
import type { RunEnd, RunStart } from "../../core/run-record.js";
import { dealt } from "../../core/shard.js";
import { createFolder } from "../log/new-folder.js";
import { readRunLog } from "../log/run-log.js";
import { readRunState } from "../run-state.js";
import { trialCounts } from "../trial-counts.js";
import { copyTrials, type MergedShard, writeMergedLog } from "./merged-folder.js";
import { type ShardRun, shardDifferences } from "./shard-differences.js";

export interface Merge {
  /** Where each run's log is, and its folder; `name` as a person gave it. */
  readonly runs: readonly { readonly name: string; readonly folder: string; readonly log: string }[];
  readonly run_id: string;
  /** Does not exist yet. */
  readonly runFolder: string;
  readonly argv: readonly string[];
  readonly onWarning: (message: string) => void;
}

export interface Merged {
  readonly start: RunStart;
  readonly end: RunEnd;
  /** What the plan has and the shards have not, in words. */
  readonly gaps: readonly string[];
}

interface ReadShard extends ShardRun, MergedShard {
  readonly index: number;
}

/**
 * Joins the runs of a plan's shards into one run in a new folder, with traces and answers: what the whole plan, run at once, would have
 * left, but for times. Shards that are missing or did not end are gaps; the joined run is then interrupted, and `resume` goes on with it. Throws
 * UsageError where runs are not parts of one plan or one part is there twice. The log appears last, whole: a merge that was killed left no run.
 */
export async function mergeShards(merge: Merge, clock: Clock): Promise<Merged> {
  const shards = await readShards(merge);
  const [first, ...others] = shards;
  if (first === undefined) throw new UsageError("name the runs of all shards");
  const problems = [...others.flatMap((other) => shardDifferences(first, other)), ...duplicates(shards)];
  if (problems.length > 0) throw new UsageError(problems);
  const start = mergedStart(merge, first, shards);
  const end = mergedEnd(start, shards, clock);
  await mkdir(path.dirname(merge.runFolder), { recursive: true });
  await createFolder(merge.runFolder);
  for (const shard of shards) await copyTrials(shard, merge.runFolder, merge.onWarning);
  await writeMergedLog(merge.runFolder, start, end, shards);
  return { start, end, gaps: gapsOf(first, shards) };
}

async function readShards({ runs, onWarning }: Merge): Promise<ReadShard[]> {
  const shards: ReadShard[] = [];
  const refused: string[] = [];
  for (const { name, folder, log } of runs) {
    let records = 0;
    const counted = async function* () {
      for await (const record of readRunLog(log, onWarning)) {
        records++;
        yield record;
      }
    };
    const state = await readRunState(counted());
    const { shard, replay_of } = state.start;
    if (replay_of !== null) refused.push(`${name}: a replay of ${replay_of.run_id}: merge the run itself`);
    else if (shard === null)
      refused.push(`${name}: not a part of a plan but the whole of one (it ran without --shard)`);
    else shards.push({ name, folder, log, state, records, index: shard.index });
  }
  if (refused.length > 0) throw new UsageError(refused);
  return shards.sort((a, b) => a.index - b.index);
}

/** No trial may count twice, and which of two should count is not for us to choose. */
function duplicates(shards: readonly ReadShard[]): string[] {
  return shards.flatMap((shard, position) => {
    const before = shards.slice(0, position).find(({ index }) => index === shard.index);
    if (before === undefined) return [];
    const twice = [...shard.state.ends.keys()].filter((trial) => before.state.ends.has(trial)).length;
    return [
      `shard ${shard.index}/${shard.state.start.shard?.count} is there twice: ${before.name} and ${shard.name} (${twice} trials ended in both); leave one out`,
    ];
  });
}

function gapsOf(first: ReadShard, shards: readonly ReadShard[]): string[] {
  const { count = 0, tasks = [] } = first.state.start.shard ?? {};
  const trialsOf = (size: number) => size * first.state.start.arms.length * first.state.start.repeats;
  const missing = Array.from({ length: count }, (_, index) => index + 1).flatMap((index) => {
    if (shards.some((shard) => shard.index === index)) return [];
    const own = dealt(tasks, { index, count }).length;
    return own === 0 ? [] : [`shard ${index}/${count} is missing: ${own} tasks, ${trialsOf(own)} trials`];
  });
  const open = shards.flatMap(({ name, index, state }) => {
    const planned = trialsOf(state.start.tasks.length);
    const left = planned - state.ends.size;
    const status = state.end?.status ?? "interrupted";
    return left === 0 && status === "completed"
      ? []
      : [`shard ${index}/${count} (${name}) was ${status}: ${left} of ${planned} trials have no end`];
  });
  return [...missing, ...open];
}

function mergedStart({ run_id, argv }: Merge, first: ReadShard, shards: readonly ReadShard[]): RunStart {
  const starts = shards.map(({ state }) => state.start);
  const { start } = first.state;
  const all = (pick: (one: RunStart) => string) => [...new Set(starts.map(pick))].join(", ");
  const sameCommit = new Set(starts.map(({ git }) => JSON.stringify(git))).size === 1;
  return {
    ...start,
    run_id,
    at: starts.map(({ at }) => at).sort()[0] ?? start.at,
    tasks: start.shard?.tasks ?? start.tasks,
    shard: null,
    git: sameCommit ? start.git : null,
    versions: {
      daw_eval: start.versions.daw_eval,
      node: all(({ versions }) => versions.node),
      platform: all(({ versions }) => versions.platform),
    },
    argv,
  };
}

function mergedEnd(start: RunStart, shards: readonly ReadShard[], clock: Clock): RunEnd {
  const planned = start.tasks.length * start.arms.length * start.repeats;
  const ends = shards.flatMap(({ state }) => [...state.ends.values()]);
  const { valid, infra_error } = trialCounts(planned, ends).counts();
  const suspended = shards.reduce((sum, { state }) => sum + (state.end?.counts.suspended ?? 0), 0);
  const statuses = shards.map(({ state }) => state.end?.status ?? "interrupted");
  const whole = shards.reduce((sum, { state }) => sum + state.start.tasks.length, 0) === start.tasks.length;
  return {
    record: "run-end",
    at:
      shards
        .flatMap(({ state }) => state.end?.at ?? [])
        .sort()
        .at(-1) ?? clock.iso(),
    status: statuses.includes("failed")
      ? "failed"
      : whole && statuses.every((one) => one === "completed")
        ? "completed"
        : "interrupted",
    counts: { planned, valid, infra_error, suspended, not_run: planned - valid - infra_error - suspended },
  };
}
