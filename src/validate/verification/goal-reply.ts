import { isRecord } from "../../core/json.js";
import { jsonInReply, quotedReply } from "../../core/reply-json.js";
import type { Parsed } from "../reply-json.js";

export interface GoalReply {
  /** 0 … 1. */
  readonly score: number;
  readonly reason: string;
  /** A concrete problem; null where the judge says that there is none. */
  readonly problem: string | null;
}

/**
 * Reads the judge's reply: one JSON object, bare or in a code fence, with a score from 0 to 1, a reason and a problem, each of its type. Anything
 * else is malformed: no score is guessed, for a guess would be a verdict that nobody gave. Unknown keys are ignored.
 */
export function parseGoalReply(content: string | null): Parsed<GoalReply> {
  const text = content ?? "";
  const value = jsonInReply(text);
  if (!isRecord(value)) return { ok: false, error: `the reply is not a JSON object: ${quotedReply(text)}` };
  const { score, reason, problem } = value;
  if (typeof score !== "number" || !(score >= 0 && score <= 1)) return bad("score", "a number from 0 to 1", text);
  if (typeof reason !== "string" || reason.trim() === "") return bad("reason", "text", text);
  if (typeof problem !== "string" || problem.trim() === "") return bad("problem", 'text, which may be "none"', text);
  return { ok: true, reply: { score, reason: reason.trim(), problem: isNone(problem) ? null : problem.trim() } };
}

const bad = (key: string, rule: string, text: string): { readonly ok: false; readonly error: string } => ({
  ok: false,
  error: `the reply has no "${key}" that is ${rule}: ${quotedReply(text)}`,
});

const isNone = (problem: string): boolean =>
  /^\W*(?:none|no problems?|nothing|n\/a)\W*$|^[^\p{L}]*(?:无|没有|没有问题|无问题|暂无)[^\p{L}]*$/iu.test(problem);
