import { setTimeout as sleep } from "node:timers/promises";
import type { ModelFailure, ModelResponse } from "../core/message.js";
import type { ModelCall, ModelReply } from "../core/ports/chat-model.js";
import type { RetryConfig } from "../core/profile.js";
import type { FailedRequest } from "./failed-request.js";

/** Characters of a failure's message that are kept. */
const MESSAGE_CHARACTERS = 2000;

/** One request and what came of it, with its own time. */
export type Attempt =
  | { readonly ok: true; readonly response: ModelResponse; readonly request_ms: number }
  | (FailedRequest & { readonly ok: false; readonly request_ms: number });

/**
 * Asks until an answer comes, the failure is one that does not pass, or the retries are used up. A wait that the server
 * asks for is kept; one longer than `max_wait_ms` ends the retries, so that the time of a call stays bounded. Rejects with
 * the signal's reason when it is aborted, also during a wait.
 */
export async function withRetries(
  retries: RetryConfig,
  call: ModelCall,
  request: () => Promise<Attempt>,
): Promise<ModelReply> {
  for (let failures = 0; ; failures++) {
    const attempt = await request();
    if (attempt.ok) return attempt;
    const { failure, request_ms, retry_after_ms, may_pass } = attempt;
    const wait_ms = waitBefore(failures, retries, retry_after_ms);
    const over = !may_pass || failures >= retries.max;
    if (over || wait_ms > retries.max_wait_ms) {
      const why = `the server asks to wait ${wait_ms} ms, longer than retries.max_wait_ms (${retries.max_wait_ms}): `;
      return { ok: false, failure: clipped(failure, over ? "" : why), request_ms };
    }
    await call.on_retry({ failure: clipped(failure, ""), request_ms, wait_ms });
    call.on_wait(true);
    await sleep(wait_ms, undefined, { signal: call.signal })
      .catch((error: unknown) => {
        call.signal.throwIfAborted();
        throw error;
      })
      .finally(() => call.on_wait(false));
  }
}

/**
 * Doubles with every failure, up to `max_wait_ms`; the upper half is random, so that trials which failed together do not
 * come back together. What the server asks for is the least.
 */
function waitBefore(failures: number, retries: RetryConfig, retryAfterMs: number | null): number {
  const longest = Math.min(retries.max_wait_ms, retries.min_wait_ms * 2 ** failures);
  const backoff = longest / 2 + (Math.random() * longest) / 2;
  return Math.round(Math.max(backoff, retryAfterMs ?? 0));
}

function clipped(failure: ModelFailure, before: string): ModelFailure {
  return { ...failure, message: (before + failure.message).slice(0, MESSAGE_CHARACTERS) };
}
