import { type Language, languageOf } from "../../core/language.js";
import type { ModelRequest } from "../../core/message.js";
import type { Profile } from "../../core/profile.js";
import { answerRequestOf } from "../answer-request.js";
import { parseProcessReply } from "../process-reply.js";
import { processRequestOf } from "../process-request.js";
import { type Parsed, type PlainReply, parseReply } from "../reply-json.js";
import { verifyOutput } from "../verification/verify-output.js";
import type { Judged, Ruling } from "./example.js";

export type NextOfRuling =
  | Exclude<Ruling, { kind: "unheard" }>
  | { readonly kind: "ask"; readonly request: ModelRequest };

/**
 * What is to be asked about an example, or what the judge's answer amounts to: the very request that a trial makes, and the very rules by which
 * its reply counts there. `said` is null while the judge has not been asked. Red findings refuse by code, as they do where checks are enforced.
 */
export function rule(
  judged: Judged,
  profile: Profile,
  seed: number,
  said: { readonly content: string | null } | null,
): NextOfRuling {
  switch (judged.judge) {
    case "goal":
      return verified(judged, profile, seed, said);
    case "process": {
      const { material } = judged;
      const language = languageOf(material.question);
      if (said !== null) return ruledBy(processReply(said.content, language));
      const request = () => processRequestOf(material, { profile, language, seed });
      return refusedByCode(material.mechanical_findings) ?? { kind: "ask", request: request() };
    }
    case "answer": {
      const { material } = judged;
      if (said !== null) return ruledBy(answerReply(said.content));
      const language = languageOf(material.question);
      const request = () => answerRequestOf(material, { profile, language, seed });
      return refusedByCode(material.form_findings) ?? { kind: "ask", request: request() };
    }
  }
}

function verified(
  judged: Extract<Judged, { judge: "goal" }>,
  profile: Profile,
  seed: number,
  said: { readonly content: string | null } | null,
): NextOfRuling {
  const expects = { parts: [], citations: judged.evidence !== null, lines: [] };
  const next = verifyOutput({ ...judged, expects }, { profile, language: languageOf(judged.task), seed }, said);
  if (next.kind !== "verdict") return next;
  const { passed, score, layer, reason } = next.verdict;
  return { kind: passed ? "passed" : "refused", score, by: layer === "goal" ? "model" : "code", reason };
}

function refusedByCode(findings: readonly object[]): (Ruling & { kind: "refused" }) | null {
  const red = findings.filter((finding) => "level" in finding && finding.level === "red");
  if (red.length === 0) return null;
  const details = red.map((finding) => ("detail" in finding ? String(finding.detail) : "a red finding"));
  return { kind: "refused", score: null, by: "code", reason: details.join(" ") };
}

function ruledBy(parsed: Parsed<PlainReply>): NextOfRuling {
  if (!parsed.ok) return { kind: "malformed", error: parsed.error };
  const { valid, issues } = parsed.reply;
  return { kind: valid ? "passed" : "refused", score: null, by: "model", reason: issues.join(" ") };
}

/** "Valid" beside an unverified assumption is a refusal, here as in a trial. */
function processReply(content: string | null, language: Language): Parsed<PlainReply> {
  const parsed = parseProcessReply(content, null, language);
  if (!parsed.ok) return parsed;
  return { ok: true, reply: { ...parsed.reply, valid: parsed.reply.valid && !parsed.reply.inconsistent } };
}

function answerReply(content: string | null): Parsed<PlainReply> {
  const parsed = parseReply(content);
  return parsed.ok ? { ok: true, reply: parsed.reply.plain } : parsed;
}
