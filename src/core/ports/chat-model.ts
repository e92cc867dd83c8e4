import type { ModelFailure, ModelRequest, ModelResponse } from "../message.js";
import type { ImageReader } from "./image-reader.js";

/** Told of every failed request that is going to be tried again, before the wait. */
export interface RetryNotice {
  readonly failure: ModelFailure;
  readonly request_ms: number;
  /** How long the model waits before it asks again. */
  readonly wait_ms: number;
}

export interface ModelCall {
  /** Aborted when the trial's time is up or the run is cancelled: the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly on_retry: (notice: RetryNotice) => Promise<void>;
  /** Told when the call begins (true) and ends (false) to wait for a place, or for the next request of a retry. */
  readonly on_wait: (began: boolean) => void;
  /** How many replies this trial has had to the same request: one that is asked again must not get the same words from a cache. */
  readonly asked_before: number;
  /** Where the bytes of the request's images come from. */
  readonly images: ImageReader;
}

export type ModelReply =
  | {
      readonly ok: true;
      readonly response: ModelResponse;
      readonly request_ms: number;
      /** The response was given to an earlier run and paid for there. */
      readonly cached?: true;
    }
  | { readonly ok: false; readonly failure: ModelFailure; readonly request_ms: number };

/**
 * A language model, or something that answers like one. Failures of the endpoint come back as `{ ok: false }` after the
 * retries that the profile allows; the promise rejects only when `signal` is aborted or on a bug.
 */
export interface ChatModel {
  /** Answers one request. `request_ms` is the time of the last request alone, without waits for a slot or a retry. */
  respond(request: ModelRequest, call: ModelCall): Promise<ModelReply>;
}
