import path from "node:path";
import { formatCsv } from "../../answer/csv.js";
import { UsageError } from "../../core/errors.js";
import type { TrialEvent, TrialStarted } from "../../core/event.js";
import type { AnswerValidated, ProcessValidated } from "../../core/event-validation.js";
import { formatIdentity } from "../../core/identity.js";
import { isValid } from "../../core/outcome.js";
import { answerCheckMode, type Profile } from "../../core/profile.js";
import { fold } from "../../core/reduce.js";
import { profileOf } from "../../core/run-record.js";
import { answerOf } from "../../core/validated.js";
import { answerMaterial } from "../../validate/answer-request.js";
import type { Example, Judged, JudgeName, RuledExample, Ruling } from "../../validate/calibration/example.js";
import { evidencePacket } from "../../validate/packet.js";
import { processMaterial } from "../../validate/process-request.js";
import { attemptFolder } from "../log/run-folder.js";
import { readEvents } from "../log/trial-log.js";
import type { EndedTrial, RunState, StandingScore } from "../run-state.js";

export interface RunExamples {
  /** With what the run's own validator said of each; no ruling where nobody judged it, as with goals. */
  readonly examples: readonly RuledExample[];
  /** Checks and answers that have no score to label them by. */
  readonly unscored: number;
}

/**
 * Examples from a scored run in which the validator observed: what it was shown of each candidate, word for word, labelled by whether that
 * candidate passes by the primary scorer (`isPass`). For the goal judge the whole answer of each trial against its question. No model. Throws
 * UsageError where the validator did not observe: one that acts changes what it sees next.
 */
export async function examplesOfRun(
  runFolder: string,
  run: RunState,
  judge: JudgeName,
  isPass: (score: StandingScore) => boolean,
): Promise<RunExamples> {
  const examples: RuledExample[] = [];
  let unscored = 0;
  for (const [trial, end] of run.ends) {
    if (!isValid(end.outcome)) continue;
    const profile = profileOf(run.start, end.arm);
    requireObserved(judge, profile);
    const events = await readEvents(path.join(attemptFolder(runFolder, end, end.attempt), "events.jsonl"));
    for (const { judged, candidate, ruling } of shownTo(judge, events, profile)) {
      const score = scoreOf(run, end, trial, candidate);
      if (score === undefined || score.value === null) unscored++;
      else {
        const label = isPass(score) ? "good" : "bad";
        const example: Example = { at: trial, label, failure_mode: null, held_out: false, judged };
        examples.push({ example, rulings: ruling === null ? [] : [ruling] });
      }
    }
  }
  return { examples, unscored };
}

function requireObserved(judge: JudgeName, profile: Profile): void {
  if (judge === "goal") return;
  const mode = judge === "process" ? profile.process_validation.mode : answerCheckMode(profile);
  if (mode === "observe") return;
  throw new UsageError(
    `the run's ${judge}_validation.mode is ${mode}: examples come from a run that only observed (--set ${judge}_validation.mode=observe)`,
  );
}

interface Shown {
  readonly judged: Judged;
  /** File of the candidate whose score labels it; null: the trial's answer. */
  readonly candidate: string | null;
  readonly ruling: Ruling | null;
}

function shownTo(judge: JudgeName, events: readonly TrialEvent[], profile: Profile): Shown[] {
  const [started] = events;
  if (started?.type !== "trial-started") return [];
  if (judge === "goal") return answerShown(started, events);
  return events.flatMap((event): Shown[] => {
    if (judge === "process")
      return event.type === "process-validated" ? processShown(started, events, event, profile) : [];
    return event.type === "answer-validated" ? formShown(started, events, event) : [];
  });
}

function processShown(
  started: TrialStarted,
  events: readonly TrialEvent[],
  event: TrialEvent & ProcessValidated,
  profile: Profile,
): Shown[] {
  if (event.candidate === null) return [];
  const state = fold(events.slice(0, event.seq));
  const packet = event.packet ?? evidencePacket(state.trajectory, profile.process_validation);
  const material = processMaterial(state, started, profile, packet, event.findings);
  return [{ judged: { judge: "process", material }, candidate: event.candidate, ruling: rulingOf(event) }];
}

function formShown(started: TrialStarted, events: readonly TrialEvent[], event: TrialEvent & AnswerValidated): Shown[] {
  const state = fold(events.slice(0, event.seq));
  if (state.candidate === null || event.by === "claims") return [];
  const findings = event.findings.filter(({ rule }) => rule !== "claim-outside-domain");
  const material = answerMaterial(state, started, state.candidate.candidate, findings);
  return [{ judged: { judge: "answer", material }, candidate: event.candidate, ruling: rulingOf(event) }];
}

/** A technical failure is no ruling on the example. */
function rulingOf(event: ProcessValidated | AnswerValidated): Ruling {
  if (event.validator_error !== null) return { kind: "unheard", error: event.validator_error };
  const kind = event.verdict === "passed" ? "passed" : "refused";
  return { kind, score: null, by: event.by === "model" ? "model" : "code", reason: event.issues.join(" ") };
}

/** The conclusion and the first rows of the table, as far as events hold them. */
function answerShown(started: TrialStarted, events: readonly TrialEvent[]): Shown[] {
  const answer = answerOf(fold(events));
  if (answer === null) return [];
  const { columns, preview, rows } = answer.candidate;
  const more = rows > preview.length ? `(${preview.length} of ${rows} rows)\n` : "";
  const output = `${answer.conclusion ?? ""}\n\n${more}${formatCsv(columns, preview)}`.trim();
  const judged: Judged = {
    judge: "goal",
    task: started.question,
    sub_goal: null,
    accept: null,
    output,
    evidence: null,
  };
  return [{ judged, candidate: null, ruling: null }];
}

function scoreOf(run: RunState, end: EndedTrial, trial: string, candidate: string | null): StandingScore | undefined {
  if (candidate !== null) return run.candidateScores.get(trial)?.get(candidate);
  return run.scores.get(formatIdentity(end))?.get(profileOf(run.start, end.arm).scoring.primary);
}
