import type { Demands } from "../core/event-validation.js";
import { isRecord } from "../core/json.js";
import { jsonInReply, quotedReply } from "../core/reply-json.js";

/** What a validator's model said, or why that cannot be used: a technical failure, never a verdict. */
export type Parsed<Reply> =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly error: string };

/** A validator's reply without what only one of them adds. */
export interface PlainReply extends Demands {
  readonly valid: boolean;
}

/**
 * Reads a validator's reply: one JSON object with `valid`, bare or in a code fence. Missing lists are empty, unknown keys are ignored
 * (seed 1, stage six).
 */
export function parseReply(
  content: string | null,
): Parsed<{ readonly plain: PlainReply; readonly object: Readonly<Record<string, unknown>> }> {
  const value = jsonInReply(content ?? "");
  if (!isRecord(value)) return { ok: false, error: `the reply is not a JSON object: ${quotedReply(content ?? "")}` };
  const { valid } = value;
  if (typeof valid !== "boolean")
    return { ok: false, error: `the reply has no "valid" of true or false: ${quotedReply(content ?? "")}` };
  const plain = { valid, issues: texts(value.issues), required_next_actions: texts(value.required_next_actions) };
  return { ok: true, reply: { plain, object: value } };
}

/** The members of a list that are not blank, as text; none where there is no list. */
export function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((member: unknown) => (typeof member === "string" ? member : JSON.stringify(member)))
    .filter((text) => text !== undefined && text.trim() !== "");
}
