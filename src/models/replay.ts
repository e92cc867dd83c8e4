import { CutOffError } from "../core/cut-off.js";
import type { LimitReached, ModelFailed, ModelResponded, TrialEvent } from "../core/event.js";
import type { ModelFailure, ModelRequest } from "../core/message.js";
import type { ChatModel, ModelReply } from "../core/ports/chat-model.js";
import { fold } from "../core/reduce.js";
import { digestOfRequest } from "../core/request-digest.js";
import { requestDifference } from "./request-difference.js";

type Stored<Body> = Body & TrialEvent;

/** One call of a stored trial's models: what was tried again, and what came of it in the end. */
interface StoredCall {
  readonly retries: readonly Stored<ModelFailed>[];
  readonly reply: Stored<ModelResponded> | Stored<ModelFailed>;
}

/**
 * Answers from a stored trial's events, in their order. A request whose digest is not the stored one fails as `replay-diverged`, and the message
 * says at which event and how; so does one where the stored trial asked no more. Where the stored trial's time was up during a call, it is
 * up again (CutOffError). `prompts` is the version of today's prompt texts.
 */
export function createReplayModel(events: readonly TrialEvent[], prompts: string): ChatModel {
  const calls = storedCalls(events);
  let next = 0;
  return {
    respond: async (request, call): Promise<ModelReply> => {
      call.signal.throwIfAborted();
      const stored = calls[next];
      if (stored === undefined) return diverged(askedOn(events, request));
      next++;
      const { retries, reply } = stored;
      if (reply.purpose !== request.purpose) {
        return diverged(`event ${reply.seq}: then the ${reply.purpose} was asked, now the ${request.purpose}`);
      }
      if (digestOfRequest(request).digest !== reply.request_digest) {
        const first = retries[0] ?? reply;
        const before = fold(events.slice(0, first.seq));
        return diverged(`event ${first.seq}: ${requestDifference(before, request, prompts)}`);
      }
      for (const { failure, ms } of retries) await call.on_retry({ failure, request_ms: ms, wait_ms: 0 });
      return replyOf(reply);
    },
  };
}

function storedCalls(events: readonly TrialEvent[]): StoredCall[] {
  const calls: StoredCall[] = [];
  let retries: Stored<ModelFailed>[] = [];
  for (const event of events) {
    if (event.type === "model-failed" && !event.final) retries.push(event);
    else if (event.type === "model-responded" || event.type === "model-failed") {
      calls.push({ retries, reply: event });
      retries = [];
    }
  }
  return calls;
}

function replyOf(reply: StoredCall["reply"]): ModelReply {
  if (reply.type === "model-failed") return { ok: false, failure: reply.failure, request_ms: reply.ms };
  const { response, ms, cached } = reply;
  return { ok: true, response, request_ms: ms, ...(cached && { cached }) };
}

/** Throws CutOffError where the stored trial's last call was cut off. */
function askedOn(events: readonly TrialEvent[], { purpose }: ModelRequest): string {
  const cutOff = cutOffOf(events);
  if (cutOff !== null) throw new CutOffError(cutOff);
  const last = events.at(-1);
  return `after event ${last?.seq}: then the trial was over (${last?.type}), now the ${purpose} is asked once more`;
}

/** The event by which a stored trial's time was up; null where it was not. */
export function cutOffOf(events: readonly TrialEvent[]): LimitReached | null {
  const event = events.find((one) => one.type === "limit-reached" && one.limit === "seconds");
  return event?.type === "limit-reached" ? { type: event.type, limit: event.limit, detail: event.detail } : null;
}

function diverged(message: string): ModelReply & { readonly ok: false } {
  const failure: ModelFailure = { class: "replay-diverged", message, status: null };
  return { ok: false, failure, request_ms: 0 };
}
