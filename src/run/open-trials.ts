import { access } from "node:fs/promises";
import path from "node:path";
import type { PersonSays } from "../core/event-plan.js";
import { formatIdentity, type TrialIdentity } from "../core/identity.js";
import { isValid } from "../core/outcome.js";
import { attemptFolder } from "./log/run-folder.js";
import { plannedTrials } from "./plan.js";
import type { RunState } from "./run-state.js";

/** A trial that is still to run or to go on, as this attempt. */
export interface OpenTrial {
  readonly identity: TrialIdentity;
  readonly attempt: number;
  /** What a person says to it, where it waits for that. */
  readonly says?: PersonSays;
}

/**
 * What the plan has and the log has not: trials without an end, new attempts at an infra-error that were begun and not ended, and with
 * `retryFailed` every infra-error as its next attempt.
 */
export async function openTrials(runFolder: string, run: RunState, retryFailed: boolean): Promise<OpenTrial[]> {
  const { tasks, arms, repeats } = run.start;
  const ids = tasks.map((task) => task.task_id);
  const open: OpenTrial[] = [];
  for (const identity of plannedTrials(ids, arms, repeats)) {
    const end = run.ends.get(formatIdentity(identity));
    if (end === undefined) open.push({ identity, attempt: 1 });
    else if (!isValid(end.outcome)) {
      const next = { identity, attempt: end.attempt + 1 };
      if (retryFailed || (await wasBegun(runFolder, next))) open.push(next);
    }
  }
  return open;
}

async function wasBegun(runFolder: string, { identity, attempt }: OpenTrial): Promise<boolean> {
  try {
    await access(path.join(attemptFolder(runFolder, identity, attempt), "events.jsonl"));
    return true;
  } catch {
    return false;
  }
}
