import type { Language } from "../../core/language.js";
import type { ModelRequest } from "../../core/message.js";
import { modelFor, type Profile } from "../../core/profile.js";
import { section } from "../../core/request-sections.js";
import { goalPrompt } from "./goal-prompt.js";

/** All that the judge of the goal layer gets to see: more context makes judges lenient. */
export interface GoalMaterial {
  readonly task: string;
  /** Null: the output is to answer the whole task. */
  readonly sub_goal: string | null;
  /** When the sub-goal is met; null where the task alone says it. */
  readonly accept: string | null;
  readonly output: string;
}

/**
 * What the judge of the goal layer is asked, by itself and without any history. The output is one line of JSON, in which no text can imitate
 * a section's end.
 */
export function goalRequest(
  { task, sub_goal, accept, output }: GoalMaterial,
  profile: Profile,
  { language, seed }: { readonly language: Language; readonly seed: number },
): ModelRequest {
  const model = modelFor(profile, "verifier");
  const parts = [
    section("task", task),
    section("sub_goal", sub_goal ?? ""),
    section("accept", accept ?? ""),
    section("output", JSON.stringify(output)),
  ];
  return {
    purpose: "verifier",
    messages: [
      { role: "system", content: goalPrompt(language, profile.verification.instructions) },
      { role: "user", content: parts.join("\n\n") },
    ],
    tools: [],
    temperature: model.temperature,
    seed,
    max_output_tokens: model.max_output_tokens,
  };
}
