import type { DegradeReason } from "../../core/event-plan.js";
import { CHINESE } from "./prompts-chinese.js";
import { ENGLISH } from "./prompts-english.js";

/** Version of the plan strategy's prompt texts. Whoever changes a word raises it: it is in every log. */
export const PLAN_PROMPTS_VERSION = "1";

/** All that is said to the roles of a plan, in one language. */
export interface PlanTexts {
  readonly planner: string;
  readonly executor: (toolCalls: number) => string;
  readonly finalizer: string;
  readonly condenser: string;
  /** Stand above the parts of the user messages. */
  readonly parts: {
    readonly finished: string;
    readonly failures: string;
    readonly deadEnds: string;
    readonly tools: string;
    readonly fixFirst: string;
    readonly lastOutput: string;
    readonly subGoal: string;
    readonly evidence: string;
    readonly outputs: string;
    readonly cited: string;
  };
  readonly none: string;
  /** Marks a text that stands for several outputs. */
  readonly compressed: string;
  readonly askPlan: string;
  readonly askOutput: string;
  readonly toolsSpent: string;
  readonly askSubmission: string;
  readonly unusablePlan: (problem: string) => string;
  readonly vagueAccept: (words: readonly string[]) => string;
  readonly deadEnd: string;
  readonly unknownEvidence: (id: string) => string;
  readonly notNow: (tool: string) => string;
  readonly toolBudget: (most: number) => string;
  readonly readEvidence: string;
  /** Stands first in the conclusion of an answer that is degraded. */
  readonly notVerified: (reason: string) => string;
  readonly degraded: Readonly<Record<DegradeReason, string>>;
}

export function planTexts(language: "en" | "zh"): PlanTexts {
  return language === "zh" ? CHINESE : ENGLISH;
}
