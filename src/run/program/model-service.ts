import { spentLimit } from "../../core/limits.js";
import type { ModelRequest, ModelResponse } from "../../core/message.js";
import type { ChatModel } from "../../core/ports/chat-model.js";
import type { ImageReader } from "../../core/ports/image-reader.js";
import { digestOfRequest } from "../../core/request-digest.js";
import { servedError } from "../../models/served-chat.js";
import { during, type WorkClock } from "../work-clock.js";
import { refused, type Served } from "./model-port.js";
import type { CommandStage } from "./run-command.js";

interface ServicePorts {
  readonly model: ChatModel;
  readonly workClock: WorkClock;
  /** Ends the program: a limit is used up. */
  readonly stop: (reason: Error) => void;
}

/** Requests that come through the port hold no pictures. */
const NO_IMAGES: ImageReader = {
  read: async (name) => ({ ok: false, error: "unreadable-image", message: `${name} is not served` }),
};

/**
 * Answers a program's requests with the trial's model, as if the trial itself had asked: every request and its retries are events, tokens
 * and cost count, limits hold. What the model had answered before a kill is given again to the same requests, in their order, and costs nothing.
 */
export function modelService(
  { model, workClock, stop }: ServicePorts,
  stage: CommandStage,
): (request: ModelRequest, signal: AbortSignal) => Promise<Served> {
  const paid = new Map<string, ModelResponse[]>();
  for (const { request_digest, response } of stage.state().command?.served ?? []) {
    paid.set(request_digest, [...(paid.get(request_digest) ?? []), response]);
  }
  const asked = new Map<string, number>();

  return async (request, signal) => {
    const { digest, bytes } = digestOfRequest(request);
    const before = asked.get(digest) ?? 0;
    asked.set(digest, before + 1);
    const again = paid.get(digest)?.shift();
    if (again !== undefined) return { ok: true, response: again };
    const { agent } = stage.profile;
    if (stage.state().step >= agent.max_steps) return stepLimit(stage, agent.max_steps);
    await stage.onDisk();
    const about = { purpose: "agent", request_digest: digest } as const;
    const reply = await during(workClock, () =>
      model.respond(request, {
        signal,
        on_wait: workClock.onWait,
        images: NO_IMAGES,
        asked_before: before,
        on_retry: ({ failure, request_ms }) => {
          stage.append({ type: "model-failed", ...about, failure, final: false, ms: request_ms });
          return stage.onDisk();
        },
      }),
    );
    signal.throwIfAborted();
    const ms = reply.request_ms;
    if (!reply.ok) {
      stage.append({ type: "model-failed", ...about, failure: reply.failure, final: true, ms });
      await stage.onDisk();
      return refused(reply.failure);
    }
    const cached = reply.cached && { cached: reply.cached };
    stage.append({ type: "model-responded", ...about, request_bytes: bytes, response: reply.response, ...cached, ms });
    const spent = spentLimit(stage.state(), stage.profile);
    if (spent !== null && stage.state().limit === null) {
      stage.append({ type: "limit-reached", ...spent });
      stop(new Error(spent.detail));
    }
    await stage.onDisk();
    return { ok: true, response: reply.response };
  };
}

/** The program may still hand over what it has. */
function stepLimit(stage: CommandStage, most: number): Served {
  const message = `the trial's ${most} model calls are used up (agent.max_steps): answer with what is known`;
  if (stage.state().forced_at === null) stage.append({ type: "answer-forced", message });
  return { ok: false, status: 403, body: servedError("step-limit", message) };
}
