import type { PendingCall, QueryAnswer, TrialEventBody } from "./event.js";
import type { PausePoint } from "./event-plan.js";
import type { Validator } from "./event-validation.js";
import type { ModelRequest } from "./message.js";
import type { TrialOutcome } from "./outcome.js";
import type { CommandConfig } from "./profile.js";

/** What to do next. Deciders return one; the engine performs it and appends the events that come of it. */
export type Effect =
  | { readonly kind: "call-model"; readonly request: ModelRequest }
  | { readonly kind: "call-tools"; readonly calls: readonly PendingCall[] }
  | QueryEffect
  /** The program that is the agent, from its start to its end. */
  | { readonly kind: "run-command"; readonly command: CommandConfig }
  /** A decision that needs nothing from outside. */
  | { readonly kind: "record"; readonly event: TrialEventBody }
  | { readonly kind: "pause"; readonly at: PausePoint }
  | { readonly kind: "finish"; readonly outcome: TrialOutcome };

/** A check by code on the task's data. */
export interface QueryEffect {
  readonly kind: "query";
  readonly validator: Validator;
  /** In words, for the log. */
  readonly why: string;
  readonly answer: QueryAnswer;
  readonly queries: readonly string[];
}
