import type { Clock } from "../core/ports/clock.js";
import type { Profile } from "../core/profile.js";

/** When a run has to be over, and what that leaves to each of its trials. */
export interface Deadline {
  /** Aborted when the run's time is over; never where it has no limit. */
  readonly signal: AbortSignal;
  /**
   * The profile of a trial that starts now: its seconds are its fair share of the time that is left, at most the `limits.seconds` that its arm has.
   * `left` is the number of trials that have not ended, this one included and those that run beside it. Null: no time is left.
   */
  shareFor(profile: Profile, left: number): Profile | null;
  callOff(): void;
}

/** `run_seconds`, of which `spent_ms` are over, and how many trials run at once are the same in all arms. */
export function runDeadline({ limits, concurrency }: Profile, clock: Clock, spent_ms: number): Deadline {
  const over = new AbortController();
  const { run_seconds } = limits;
  if (run_seconds === null) return { signal: over.signal, shareFor: (profile) => profile, callOff: () => {} };
  const left_ms = Math.max(0, run_seconds * 1000 - spent_ms);
  const end = clock.milliseconds() + left_ms;
  const timer = setTimeout(() => over.abort(new Error("the run's time is over")), left_ms);
  return {
    signal: over.signal,
    shareFor: (profile, left) => {
      const remaining = (end - clock.milliseconds()) / 1000;
      if (remaining <= 0) return null;
      const share = (remaining * Math.min(concurrency, left)) / left;
      return { ...profile, limits: { ...profile.limits, seconds: Math.min(profile.limits.seconds, share) } };
    },
    callOff: () => clearTimeout(timer),
  };
}
