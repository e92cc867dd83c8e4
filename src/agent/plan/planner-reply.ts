import { z } from "zod";
import type { SubGoal } from "../../core/plan-state.js";
import { jsonInReply } from "../../core/reply-json.js";

const text = z.string().trim().min(1);

const replyShape = z.object({
  sub_goals: z
    .array(z.object({ goal: text, accept: text, tool_hint: text.nullable().catch(null).default(null) }))
    .min(2)
    .max(6),
});

export type PlannedGoal = z.output<typeof replyShape>["sub_goals"][number];

export type PlannerReply =
  | { readonly ok: true; readonly goals: readonly PlannedGoal[] }
  /** What is wrong, for the planner to mend. */
  | { readonly ok: false; readonly problem: string };

/** Reads a planner's reply: one JSON object, bare or in a code fence, with two to six sub-goals. Unknown keys are ignored. */
export function readPlan(content: string | null): PlannerReply {
  const value = jsonInReply(content ?? "");
  return value === null ? { ok: false, problem: "it holds no JSON object" } : readGoals(value);
}

/** `{"sub_goals": [{"goal", "accept", "tool_hint"}]}`. */
export function readGoals(value: unknown): PlannerReply {
  const parsed = replyShape.safeParse(value);
  if (parsed.success) return { ok: true, goals: parsed.data.sub_goals };
  const [issue] = parsed.error.issues;
  return { ok: false, problem: `${issue?.path.join(".") || "the object"}: ${issue?.message ?? "not as asked"}` };
}

/** Ids are given by code, counted over all plans of a trial; a planner's own are not asked for. */
export function withIds(goals: readonly Omit<SubGoal, "id">[], before: number): SubGoal[] {
  return goals.map(({ goal, accept, tool_hint }, index) => ({ id: `s${before + index + 1}`, goal, accept, tool_hint }));
}

/** Words with which a criterion can be met by anything (seed 3: 禁止使用合理、适当等模糊词). */
const VAGUE =
  /\b(?:reasonabl[ey]|appropriate(?:ly)?|adequate(?:ly)?|suitabl[ey]|sufficient(?:ly)?|satisfactor(?:y|ily)|properly|good enough|high[- ]quality|as needed|if necessary)\b|合理|适当|恰当|合适|妥善|充分|足够|良好|尽量|尽可能|较好|酌情/giu;

/** The vague words in the acceptance criteria, each once, lower case. */
export function vagueWords(goals: readonly Pick<PlannedGoal, "accept">[]): string[] {
  const found = goals.flatMap(({ accept }) => accept.match(VAGUE) ?? []);
  return [...new Set(found.map((word) => word.toLowerCase()))];
}
