import type { CandidateSubmitted, DataQueried, TrialStarted } from "../../core/event.js";
import type { EvidencePacket } from "../../core/evidence.js";
import type { TrajectoryStep } from "../../core/state.js";
import { wordingOf } from "../wording/wording.js";
import type { CheckInput } from "./check.js";
import { extractionsOf } from "./extracted-tables.js";
import { factsOf } from "./facts.js";
import { submittedQueries } from "./submitted-queries.js";

/** What checks by code are told of a candidate and of the trial that made it. `answers` are the queries of theirs that were answered. */
export function checkInput(
  started: TrialStarted,
  candidate: CandidateSubmitted,
  trial: { readonly trajectory: readonly TrajectoryStep[]; readonly packet: EvidencePacket },
  answers: readonly DataQueried[],
): CheckInput {
  const extracted = extractionsOf(trial.trajectory).map(({ table }) => table);
  const catalog = { ...started.catalog, tables: [...started.catalog.tables, ...extracted] };
  return {
    started: { ...started, catalog },
    candidate,
    queries: submittedQueries(candidate),
    ...trial,
    facts: factsOf(answers),
    say: wordingOf(started.language).findings,
  };
}
