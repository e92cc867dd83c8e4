import type { ModelCall } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { ModelConfig } from "../core/profile.js";
import { createAllowance } from "./allowance.js";
import { createMinuteWindow, type MinuteLimits } from "./minute-window.js";
import type { Attempt } from "./retry.js";

export interface ThrottleLimits extends MinuteLimits {
  /** A longer Retry-After ends the call that got it and holds back no other. */
  readonly max_wait_ms: number;
}

/** What of a model's configuration holds requests back. */
export function throttleLimits({ requests_per_minute, tokens_per_minute, retries }: ModelConfig): ThrottleLimits {
  return { requests_per_minute, tokens_per_minute, max_wait_ms: retries.max_wait_ms };
}

/** Lets requests go when the endpoint can take them, first come, first served. */
export interface Throttle {
  /**
   * Waits for a place, then asks. `tokens` is what the request is expected to count, until its usage says. The wait is no
   * part of the attempt's time. Rejects with the signal's reason when it is aborted while it waits.
   */
  run(tokens: number, call: Pick<ModelCall, "signal" | "on_wait">, ask: () => Promise<Attempt>): Promise<Attempt>;
}

/** What is known of a request in flight. */
interface Place {
  readonly epoch: number;
  readonly taken: (tokens: number) => void;
}

interface Waiting {
  readonly tokens: number;
  readonly start: (place: Place) => void;
}

/**
 * Three things hold a request back: the number in flight that the endpoint has shown to bear, a Retry-After, which is for
 * all requests since they share one account, and the account's limits of a minute.
 */
export function createThrottle(limits: ThrottleLimits, clock: Clock): Throttle {
  const allowance = createAllowance();
  const minute = createMinuteWindow(limits);
  const queue: Waiting[] = [];
  let inFlight = 0;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const startWaiting = (): void => {
    clearTimeout(timer);
    for (let head = queue[0]; head !== undefined && inFlight < allowance.most(); head = queue[0]) {
      const now = clock.milliseconds();
      const wait = Math.max(heldUntil - now, minute.waitFor(head.tokens, now));
      if (wait > 0) {
        timer = setTimeout(startWaiting, Math.ceil(wait));
        return;
      }
      queue.shift();
      inFlight++;
      head.start({ epoch: allowance.epoch(), taken: minute.count(head.tokens, now) });
    }
  };

  const waitForPlace = (tokens: number, signal: AbortSignal): Promise<Place> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason);
        startWaiting();
      };
      const start = (place: Place) => {
        signal.removeEventListener("abort", leave);
        resolve(place);
      };
      const waiting: Waiting = { tokens, start };
      signal.addEventListener("abort", leave, { once: true });
      queue.push(waiting);
      startWaiting();
    });

  const hold = (milliseconds: number | null): void => {
    if (milliseconds === null || milliseconds > limits.max_wait_ms) return;
    heldUntil = Math.max(heldUntil, clock.milliseconds() + milliseconds);
  };

  return {
    run: async (tokens, { signal, on_wait }, ask) => {
      on_wait(true);
      const { epoch, taken } = await waitForPlace(tokens, signal).finally(() => on_wait(false));
      try {
        const attempt = await ask();
        if (attempt.ok) {
          const { input_tokens, output_tokens } = attempt.response.usage;
          if (input_tokens !== null) taken(input_tokens + (output_tokens ?? 0));
          allowance.answered(epoch);
        } else if (attempt.failure.class === "rate-limit" && attempt.may_pass) {
          allowance.refused(epoch, inFlight);
          hold(attempt.retry_after_ms);
        }
        return attempt;
      } finally {
        inFlight--;
        startWaiting();
      }
    },
  };
}
