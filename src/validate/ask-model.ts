import type { Effect } from "../core/effect.js";
import type { ModelRequest } from "../core/message.js";
import type { ErrorPolicy } from "../core/profile.js";
import type { ValidatorReply } from "../core/validation-state.js";
import type { Parsed } from "./reply-json.js";

/** How often a validator is asked in one check under each policy. */
const ASKED: Readonly<Record<ErrorPolicy, number>> = { release: 1, retry: 2, reject: 1 };

export type Heard<Reply> =
  | { readonly kind: "ask"; readonly effect: Effect }
  | { readonly kind: "heard"; readonly reply: Reply }
  /** Asked as often as the policy has it, and no usable reply. */
  | { readonly kind: "failed"; readonly error: string };

/** What a check's model has said so far, or the request that is to be made (again). */
export function hear<Reply>(
  replies: readonly ValidatorReply[],
  policy: ErrorPolicy,
  parse: (content: string | null) => Parsed<Reply>,
  request: () => ModelRequest,
): Heard<Reply> {
  const last = replies.at(-1);
  if (last === undefined) return { kind: "ask", effect: { kind: "call-model", request: request() } };
  const parsed: Parsed<Reply> = last.ok
    ? parse(last.response.content)
    : { ok: false, error: `${last.failure.class}: ${last.failure.message}` };
  if (parsed.ok) return { kind: "heard", reply: parsed.reply };
  if (replies.length < ASKED[policy]) return { kind: "ask", effect: { kind: "call-model", request: request() } };
  return { kind: "failed", error: parsed.error };
}
