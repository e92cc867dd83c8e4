import { hasVisuals } from "../core/catalog.js";
import type { CandidateSubmitted, TrialStarted } from "../core/event.js";
import { type EvidencePacket, evidenceId } from "../core/evidence.js";
import type { Finding } from "../core/finding.js";
import type { Language } from "../core/language.js";
import type { ModelRequest } from "../core/message.js";
import { modelFor, type ProcessValidationConfig, type Profile } from "../core/profile.js";
import { jsonLines, section } from "../core/request-sections.js";
import type { TrajectoryStep, TrialState } from "../core/state.js";
import { excerptOf } from "./excerpt.js";
import { processPrompt, visualPolicy } from "./process-prompt.js";

/** Characters of a model's words that the compressed trajectory keeps. */
const CONTENT_PREVIEW = 300;

/** All that the process validator gets to see, in the words of its request: JSON, which a stored example can hold too. */
export interface ProcessMaterial {
  readonly question: string;
  /** Null at a check on the way. */
  readonly candidate: object | null;
  readonly mechanical_findings: readonly object[];
  readonly evidence_items: readonly object[];
  readonly omitted_or_unusable: readonly object[];
  /** The task has pictures or videos. */
  readonly has_visuals: boolean;
  readonly previous_ledger: object | null;
  readonly recent_steps: readonly object[];
  /** Null where the task has none. */
  readonly knowledge: string | null;
}

/** Who is asked, beside what: the language of the prompts and the seed that is sent. */
export interface Asking {
  readonly profile: Profile;
  readonly language: Language;
  readonly seed: number;
}

/**
 * What the process validator is asked: a pure function of the events so far. Everything of the agent's that comes in is on JSON lines,
 * in which no text can imitate a section's end. Reasoning text is not in it: the state holds none.
 */
export function processRequest(
  state: TrialState,
  started: TrialStarted,
  profile: Profile,
  packet: EvidencePacket,
  findings: readonly Finding[],
): ModelRequest {
  const { language, seed } = started;
  return processRequestOf(processMaterial(state, started, profile, packet, findings), { profile, language, seed });
}

/** What a check at this moment shows the process validator. */
export function processMaterial(
  state: TrialState,
  started: TrialStarted,
  profile: Profile,
  packet: EvidencePacket,
  findings: readonly Finding[],
): ProcessMaterial {
  return {
    question: started.question,
    candidate: state.candidate === null ? null : candidateView(state.candidate),
    mechanical_findings: findings,
    ...packetLists(packet),
    has_visuals: hasVisuals(started.catalog),
    previous_ledger: state.validation.process.ledger,
    recent_steps: recentSteps(state.trajectory, packet, profile.process_validation),
    knowledge: started.knowledge,
  };
}

const packetLists = ({ evidence_items, omitted_or_unusable }: EvidencePacket) => ({
  evidence_items,
  omitted_or_unusable,
});

/** The same of any material. */
export function processRequestOf(material: ProcessMaterial, { profile, language, seed }: Asking): ModelRequest {
  const config = profile.process_validation;
  const model = modelFor(profile, "process-validator");
  const parts = [
    section("question", material.question),
    section("candidate", JSON.stringify(material.candidate)),
    section("mechanical_findings", jsonLines(material.mechanical_findings)),
    section("evidence_items", jsonLines(material.evidence_items)),
    section("omitted_or_unusable", jsonLines(material.omitted_or_unusable)),
    ...(material.has_visuals ? [section("visual_policy", visualPolicy(language, config))] : []),
    section("previous_ledger", JSON.stringify(material.previous_ledger)),
    section("recent_steps", jsonLines(material.recent_steps)),
    section("knowledge", material.knowledge ?? ""),
  ];
  return {
    purpose: "process-validator",
    messages: [
      { role: "system", content: processPrompt(language) },
      { role: "user", content: parts.join("\n\n") },
    ],
    tools: [],
    temperature: model.temperature,
    seed,
    max_output_tokens: model.max_output_tokens,
  };
}

/** What was submitted and by what. The first rows are there to be recognised; the sizes are the real ones. */
function candidateView({ candidate, source }: CandidateSubmitted) {
  const { columns, rows, preview } = candidate;
  const isScalar = rows === 1 && columns.length === 1;
  return {
    columns,
    row_count: rows,
    column_count: columns.length,
    first_rows: preview,
    ...(isScalar ? { scalar: preview[0]?.[0] ?? null } : {}),
    source,
  };
}

/** The last steps, compressed: for seeing failures, repetition and drift; not evidence. */
function recentSteps(trajectory: readonly TrajectoryStep[], packet: EvidencePacket, config: ProcessValidationConfig) {
  const evidence = new Set(packet.evidence_items.map(({ id }) => id));
  const citable = (step: number, callId: string) => {
    const id = evidenceId(step, callId);
    return evidence.has(id) ? { evidence_id: id } : {};
  };
  return trajectory.slice(-config.recent_steps).map(({ step, finish_reason, content, tools, returns }) => ({
    step,
    model: { finish_reason, tools, content: content?.slice(0, CONTENT_PREVIEW) ?? null },
    tools: returns.map((returned) => ({
      name: returned.tool,
      arguments: excerptOf(returned.args, config).value,
      ok: returned.type === "candidate-submitted" || returned.ok,
      ...(returned.type === "tool-returned" && !returned.ok ? { error: returned.error } : {}),
      ...citable(step, returned.call_id),
    })),
  }));
}
