import type { CandidateFile, TrialStarted } from "../core/event.js";
import type { Finding } from "../core/finding.js";
import type { ModelRequest } from "../core/message.js";
import { modelFor, type Profile } from "../core/profile.js";
import { jsonLines, section } from "../core/request-sections.js";
import type { TrialState } from "../core/state.js";
import { answerPrompt } from "./answer-prompt.js";

/** What the answer validator is asked: the form of the candidate, none of its rows, nothing of how it was found. */
export function answerRequest(
  state: TrialState,
  started: TrialStarted,
  candidate: CandidateFile,
  profile: Profile,
  findings: readonly Finding[],
): ModelRequest {
  const model = modelFor(profile, "answer-validator");
  const own = state.validation.answer.history.filter(({ by }) => by !== "claims");
  const history = own.map(({ verdict, issues, required_next_actions }) => ({
    verdict,
    issues,
    required_next_actions,
  }));
  const parts = [
    section("question", started.question),
    section("columns", jsonLines(columnsOf(candidate))),
    section("row_count", String(candidate.rows)),
    section("form_findings", jsonLines(findings)),
    section("validation_history", jsonLines(history)),
    section("knowledge", started.knowledge ?? ""),
  ];
  return {
    purpose: "answer-validator",
    messages: [
      { role: "system", content: answerPrompt(started.language) },
      { role: "user", content: parts.join("\n\n") },
    ],
    tools: [],
    temperature: model.temperature,
    seed: started.seed,
    max_output_tokens: model.max_output_tokens,
  };
}

function columnsOf({ columns, structure }: CandidateFile) {
  return columns.map((name, index) => {
    const column = structure[index];
    return column === undefined
      ? { name }
      : { name, type: column.type, nulls: column.nulls, distinct: column.distinct, examples: column.examples };
  });
}
