import type { PendingCall, TrialEventBody } from "./event.js";
import type { ModelRequest } from "./message.js";
import type { TrialOutcome } from "./outcome.js";

/** What to do next. Deciders return one; the engine performs it and appends the events that come of it. */
export type Effect =
  | { readonly kind: "call-model"; readonly request: ModelRequest }
  | { readonly kind: "call-tools"; readonly calls: readonly PendingCall[] }
  /** A check by code on the task's data; `parse` asks for syntax trees instead of rows. */
  | { readonly kind: "query"; readonly why: string; readonly queries: readonly string[]; readonly parse: boolean }
  /** A decision that needs nothing from outside. */
  | { readonly kind: "record"; readonly event: TrialEventBody }
  | { readonly kind: "pause"; readonly at: "after-plan" | "before-finalize" }
  | { readonly kind: "finish"; readonly outcome: TrialOutcome };
