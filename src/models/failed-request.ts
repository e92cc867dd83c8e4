import type { ModelFailure, ModelFailureClass } from "../core/message.js";

/** A request that brought no usable answer, and what may be done about it. */
export interface FailedRequest {
  readonly failure: ModelFailure;
  /** The same request may succeed later. */
  readonly may_pass: boolean;
  /** How long the server asks to wait; null where it does not say. */
  readonly retry_after_ms: number | null;
}

const MAY_PASS: readonly ModelFailureClass[] = ["rate-limit", "timeout", "connection", "server"];

export function failedRequest(
  failureClass: ModelFailureClass,
  message: string,
  more: { readonly status?: number | null; readonly may_pass?: boolean; readonly retry_after_ms?: number | null } = {},
): FailedRequest {
  return {
    failure: { class: failureClass, message, status: more.status ?? null },
    may_pass: more.may_pass ?? MAY_PASS.includes(failureClass),
    retry_after_ms: more.retry_after_ms ?? null,
  };
}
