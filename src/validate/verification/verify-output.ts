import type { Language } from "../../core/language.js";
import type { ModelRequest } from "../../core/message.js";
import type { Profile } from "../../core/profile.js";
import type {
  Layer,
  OutputFinding,
  OutputVerdict,
  Verification,
  VerificationThresholds,
} from "../../core/verification.js";
import type { Parsed } from "../reply-json.js";
import { type CitedEvidence, evidenceFindings } from "./evidence-layer.js";
import { type GoalReply, parseGoalReply } from "./goal-reply.js";
import { type GoalMaterial, goalRequest } from "./goal-request.js";
import { type StructureRules, structureFindings } from "./structure-layer.js";

/** An output, and what it is held to. */
export interface VerifiedOutput extends GoalMaterial {
  /** `min_characters` is the profile's. */
  readonly expects: Omit<StructureRules, "min_characters">;
  /** The evidence that it may cite; null where there is none to compare with, and then there is no evidence layer. */
  readonly evidence: readonly CitedEvidence[] | null;
}

/** What a verification is made with, beside the output. */
export interface VerificationSetting {
  readonly profile: Profile;
  readonly language: Language;
  readonly seed: number;
}

export type NextOfVerification = Verification | { readonly kind: "ask"; readonly request: ModelRequest };

/**
 * The verification of an output, cheap layers first: code looks at its structure, then at its evidence, and only what passes both is judged by
 * a model. `said` is what the judge answered, null while it has not been asked; an answer that cannot be read is `malformed`, never a pass.
 */
export function verifyOutput(
  output: VerifiedOutput,
  setting: VerificationSetting,
  said: { readonly content: string | null } | null,
): NextOfVerification {
  const verdict = verdictByCode(output, setting.profile);
  if (verdict !== null) return { kind: "verdict", verdict };
  if (said === null) return { kind: "ask", request: goalRequest(output, setting.profile, setting) };
  return judged(parseGoalReply(said.content), setting.profile.verification);
}

/** The first two layers; null where both pass. A fault that code finds is a fault of this output alone: local. */
function verdictByCode(output: VerifiedOutput, { verification }: Profile): OutputVerdict | null {
  const { min_characters } = verification;
  const structure = structureFindings(output.output, { ...output.expects, min_characters });
  if (structure.length > 0) return failedByCode("structure", structure);
  if (output.evidence === null) return null;
  const given = [output.task, output.sub_goal ?? "", output.accept ?? ""];
  const evidence = evidenceFindings(output.output, output.evidence, given);
  return evidence.length > 0 ? failedByCode("evidence", evidence) : null;
}

function failedByCode(layer: Layer, findings: readonly OutputFinding[]): OutputVerdict {
  const reason = findings.map(({ detail }) => detail).join(" ");
  return { passed: false, score: null, layer, reason, scope: "local", findings };
}

function judged(parsed: Parsed<GoalReply>, thresholds: VerificationThresholds): Verification {
  if (!parsed.ok) return { kind: "malformed", error: parsed.error };
  const { score, reason, problem } = parsed.reply;
  const findings: OutputFinding[] = problem === null ? [] : [{ rule: "problem", detail: problem }];
  const said = problem === null || reason.includes(problem) ? reason : `${reason} ${problem}`;
  return {
    kind: "verdict",
    verdict: { ...standingOf(score, thresholds), score, layer: "goal", reason: said, findings },
  };
}

/** What follows from a score, by code and not by the judge: a pass, another try, or another plan. */
export function standingOf(
  score: number,
  { passed_at, local_at }: VerificationThresholds,
): Pick<OutputVerdict, "passed" | "scope"> {
  if (score >= passed_at) return { passed: true, scope: null };
  return { passed: false, scope: score >= local_at ? "local" : "global" };
}
