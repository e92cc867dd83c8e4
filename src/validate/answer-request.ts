import type { CandidateFile, TrialStarted } from "../core/event.js";
import type { Finding } from "../core/finding.js";
import type { ModelRequest } from "../core/message.js";
import { modelFor, type Profile } from "../core/profile.js";
import { jsonLines, section } from "../core/request-sections.js";
import type { TrialState } from "../core/state.js";
import { answerPrompt } from "./answer-prompt.js";
import type { Asking } from "./process-request.js";

/** All that the answer validator gets to see: JSON, which a stored example can hold too. */
export interface AnswerMaterial {
  readonly question: string;
  readonly columns: readonly object[];
  readonly row_count: number;
  readonly form_findings: readonly object[];
  readonly validation_history: readonly object[];
  /** Null where the task has none. */
  readonly knowledge: string | null;
}

/** What the answer validator is asked: the form of the candidate, none of its rows, nothing of how it was found. */
export function answerRequest(
  state: TrialState,
  started: TrialStarted,
  candidate: CandidateFile,
  profile: Profile,
  findings: readonly Finding[],
): ModelRequest {
  const { language, seed } = started;
  return answerRequestOf(answerMaterial(state, started, candidate, findings), { profile, language, seed });
}

/** What a check of this candidate shows the answer validator. */
export function answerMaterial(
  state: TrialState,
  { question, knowledge }: TrialStarted,
  candidate: CandidateFile,
  findings: readonly Finding[],
): AnswerMaterial {
  const own = state.validation.answer.history.filter(({ by }) => by !== "claims");
  const history = own.map(({ verdict, issues, required_next_actions }) => ({
    verdict,
    issues,
    required_next_actions,
  }));
  const columns = columnsOf(candidate);
  return {
    question,
    columns,
    row_count: candidate.rows,
    form_findings: findings,
    validation_history: history,
    knowledge,
  };
}

/** The same request of any material. */
export function answerRequestOf(material: AnswerMaterial, { profile, language, seed }: Asking): ModelRequest {
  const model = modelFor(profile, "answer-validator");
  const parts = [
    section("question", material.question),
    section("columns", jsonLines(material.columns)),
    section("row_count", String(material.row_count)),
    section("form_findings", jsonLines(material.form_findings)),
    section("validation_history", jsonLines(material.validation_history)),
    section("knowledge", material.knowledge ?? ""),
  ];
  return {
    purpose: "answer-validator",
    messages: [
      { role: "system", content: answerPrompt(language) },
      { role: "user", content: parts.join("\n\n") },
    ],
    tools: [],
    temperature: model.temperature,
    seed,
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
