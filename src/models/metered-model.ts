import type { ChatModel } from "../core/ports/chat-model.js";
import { sumNullable } from "../core/totals.js";

/** What a model was asked and what that came to. A count that no endpoint reported is null; known and unknown add up to known. */
export interface Spent {
  /** Replies that were paid for. */
  readonly calls: number;
  /** Replies from the response cache: they cost nothing again. */
  readonly cached: number;
  /** Requests that failed, whether or not another one brought a reply. */
  readonly failed_requests: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** In US dollars; `unpriced_calls` are not in it. */
  readonly cost_usd: number | null;
  readonly unpriced_calls: number;
  /** Of the replies that were paid for. */
  readonly seconds: number;
}

export interface MeteredModel {
  readonly model: ChatModel;
  /** So far. */
  spent(): Spent;
}

/** The same model, with a count of what it takes: for judges that are asked outside of any trial, whose log would hold it. */
export function metered(inner: ChatModel): MeteredModel {
  let [calls, cached, failed_requests, unpriced_calls, ms] = [0, 0, 0, 0, 0];
  let input_tokens: number | null = null;
  let output_tokens: number | null = null;
  let cost_usd: number | null = null;
  return {
    model: {
      respond: async (request, call) => {
        const reply = await inner.respond(request, {
          ...call,
          on_retry: (notice) => {
            failed_requests++;
            return call.on_retry(notice);
          },
        });
        if (!reply.ok) failed_requests++;
        else if (reply.cached === true) cached++;
        else {
          const { usage, cost_usd: price } = reply.response;
          calls++;
          ms += reply.request_ms;
          input_tokens = sumNullable(input_tokens, usage.input_tokens);
          output_tokens = sumNullable(output_tokens, usage.output_tokens);
          cost_usd = sumNullable(cost_usd, price);
          if (price === null) unpriced_calls++;
        }
        return reply;
      },
    },
    spent: () => ({
      ...{ calls, cached, failed_requests, input_tokens, output_tokens, cost_usd, unpriced_calls },
      seconds: ms / 1000,
    }),
  };
}
