import type { ChatModel } from "../core/ports/chat-model.js";
import type { Scorer } from "../score/scorer.js";
import type { Tool } from "../tools/tool.js";

/** What a program brings to a run beside what is built in. The command line brings nothing. */
export interface Additions {
  /** Offered to the agent after the built-in ones. */
  readonly tools: readonly Tool[];
  /** Score every trial beside those of the profile, which decide what a pass is. */
  readonly scorers: readonly Scorer[];
  /** Answers where the profile's provider is `custom`. */
  readonly model: ChatModel | null;
}

export const NO_ADDITIONS: Additions = { tools: [], scorers: [], model: null };
