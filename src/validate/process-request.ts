import { hasVisuals } from "../core/catalog.js";
import type { CandidateSubmitted, TrialStarted } from "../core/event.js";
import { type EvidencePacket, evidenceId } from "../core/evidence.js";
import type { Finding } from "../core/finding.js";
import type { ModelRequest } from "../core/message.js";
import { modelFor, type ProcessValidationConfig, type Profile } from "../core/profile.js";
import { jsonLines, section } from "../core/request-sections.js";
import type { TrajectoryStep, TrialState } from "../core/state.js";
import { excerptOf } from "./excerpt.js";
import { processPrompt, visualPolicy } from "./process-prompt.js";

/** Characters of a model's words that the compressed trajectory keeps. */
const CONTENT_PREVIEW = 300;

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
  const config = profile.process_validation;
  const model = modelFor(profile, "process-validator");
  const parts = [
    section("question", started.question),
    section("candidate", JSON.stringify(state.candidate === null ? null : candidateView(state.candidate))),
    section("mechanical_findings", jsonLines(findings)),
    section("evidence_items", jsonLines(packet.evidence_items)),
    section("omitted_or_unusable", jsonLines(packet.omitted_or_unusable)),
    ...(hasVisuals(started.catalog) ? [section("visual_policy", visualPolicy(started.language, config))] : []),
    section("previous_ledger", JSON.stringify(state.validation.process.ledger)),
    section("recent_steps", jsonLines(recentSteps(state.trajectory, packet, config))),
    section("knowledge", started.knowledge ?? ""),
  ];
  return {
    purpose: "process-validator",
    messages: [
      { role: "system", content: processPrompt(started.language) },
      { role: "user", content: parts.join("\n\n") },
    ],
    tools: [],
    temperature: model.temperature,
    seed: started.seed,
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
