import type { PausePoint } from "../core/event-plan.js";
import { shortIdentity } from "../core/identity.js";
import type { RunProgress } from "../run/execute-run.js";

export interface PausedTrial {
  readonly trial: string;
  readonly pause: PausePoint;
}

/** Keeps which trials of this process wait for a person, for the words at its end. */
export function pausedTrials(): {
  readonly note: (progress: RunProgress) => void;
  readonly found: readonly PausedTrial[];
} {
  const found: PausedTrial[] = [];
  return {
    note: (progress) => {
      if (progress.kind !== "trial-suspended" || progress.pause === null) return;
      found.push({ trial: shortIdentity(progress.trial), pause: progress.pause });
    },
    found,
  };
}

/** What to do about each, a line a trial. */
export function pausedLines(paused: readonly PausedTrial[], shown: string): string[] {
  return paused.map(
    ({ trial, pause }) =>
      `${trial} waits for a person (${pause}): daw-eval resume ${shown} --trial ${trial} --approve, or --reject "why", or --edit-plan FILE`,
  );
}
