import type { QueryPool } from "../context/query-pool.js";
import type { Environment } from "../core/environment.js";
import type { TrialEventBody } from "../core/event.js";
import type { PersonSays } from "../core/event-plan.js";
import type { TrialIdentity } from "../core/identity.js";
import type { Clock } from "../core/ports/clock.js";
import type { Profile } from "../core/profile.js";
import type { RunStart } from "../core/run-record.js";
import type { TrialState } from "../core/state.js";
import type { Task } from "../core/task.js";
import type { Additions } from "./additions.js";

/** What all trials of a run share. */
export interface RunRoom {
  readonly runFolder: string;
  readonly start: RunStart;
  readonly env: Environment;
  /** Where compiled contexts and responses are kept. */
  readonly cacheDir: string;
  readonly pool: QueryPool;
  readonly clock: Clock;
  /** Aborted when the run is cancelled. */
  readonly cancel: AbortSignal;
  /** Aborted when the whole run's time is over. */
  readonly deadline: AbortSignal;
  readonly additions: Additions;
}

/** One attempt of a trial, to be run or to be continued. */
export interface TrialRequest {
  readonly task: Task;
  readonly identity: TrialIdentity;
  readonly attempt: number;
  /** Of its arm, with its share of the run's time. */
  readonly profile: Profile;
  /** What a person says to the trial, which waits for it. */
  readonly says?: PersonSays;
  readonly onState: (state: TrialState, event: TrialEventBody) => void;
}

/** Runs the trials of a run: by asking models and data, or by what a stored run was answered. */
export interface TrialRunner {
  /** Returns the last state: finished, or suspended. Rejects with ContextError, or on a bug or a full disk. */
  run(trial: TrialRequest): Promise<TrialState>;
  close(): Promise<void>;
}

export type OpenRunner = (room: RunRoom) => TrialRunner;
