import type { CandidateSubmitted, ToolReturned, TrialEvent } from "../../core/event.js";
import type { AnswerValidated, ProcessValidated, ValidationSkipped } from "../../core/event-validation.js";
import { evidenceId } from "../../core/evidence.js";
import { fold } from "../../core/reduce.js";
import { oneLine } from "../text-width.js";

type Check = ProcessValidated | AnswerValidated | ValidationSkipped;

/** Characters of a call's arguments beside a cited observation. */
const ARGUMENT_CHARACTERS = 200;

/** The checks of a trial for people: each verdict with its findings, its demands and the evidence that they cite. Empty where there were none. */
export function checkLines(events: readonly TrialEvent[]): string[] {
  const cited = citable(events);
  return events.flatMap((event) =>
    isCheck(event)
      ? [oneLine(`#${event.seq} ${checkHeading(event)}`), ...checkDetails(event, cited).map((line) => `  ${line}`)]
      : [],
  );
}

/** What one check found and asked for, and the evidence that this cites; `cited` is `citable` of the trial. */
export function checkDetails(check: Check, cited: ReadonlyMap<string, string>): string[] {
  const said = statements(check);
  const ids = new Set(
    said.flatMap(({ ids: own, text }) => [...own, ...(text.match(/step_\d+:call_[^\s,;)\]"']+/g) ?? [])]),
  );
  return [
    ...said.map(({ text, ids: own }) => oneLine(`${text}${own.length === 0 ? "" : ` [${own.join(", ")}]`}`)),
    ...[...ids].map((id) => oneLine(`evidence ${id}: ${cited.get(id) ?? "not an observation of this trial"}`)),
  ];
}

export function isCheck(event: TrialEvent): event is TrialEvent & Check {
  return event.type === "process-validated" || event.type === "answer-validated" || event.type === "validation-skipped";
}

/** `process check (candidate, enforce): rejected by model, packet 0123456789ab` */
export function checkHeading(check: Check): string {
  if (check.type === "validation-skipped") {
    return `${check.validator} check (${check.trigger}, ${check.mode}): skipped, ${check.reason}`;
  }
  const what =
    check.type === "process-validated"
      ? `process check (${check.trigger}, ${check.mode})`
      : `answer check (${check.mode})`;
  const packet = check.type === "process-validated" ? `, packet ${check.packet_digest.slice(0, 12)}` : "";
  return `${what}: ${check.verdict} by ${check.by}${packet}`;
}

interface Statement {
  readonly text: string;
  readonly ids: readonly string[];
}

function statements(check: Check): Statement[] {
  const findings = check.findings.map(({ rule, level, detail, evidence }) => ({
    text: `${level} ${rule}: ${detail}`,
    ids: evidence,
  }));
  if (check.type === "validation-skipped") return findings;
  const plain = (text: string): Statement => ({ text, ids: [] });
  const inconsistent = check.type === "process-validated" && check.inconsistent;
  return [
    ...findings,
    ...(check.validator_error === null ? [] : [plain(`validator error: ${check.validator_error}`)]),
    ...(inconsistent ? [plain("inconsistent-verdict: valid, with an unverified assumption")] : []),
    ...check.issues.map((issue) => plain(`issue: ${issue}`)),
    ...check.required_next_actions.map((action) => plain(`required: ${action}`)),
  ];
}

/** Evidence id → the call and its arguments. */
export function citable(events: readonly TrialEvent[]): ReadonlyMap<string, string> {
  const { trajectory } = fold(events);
  return new Map(
    trajectory.flatMap(({ step, returns }) =>
      returns.map((returned) => [evidenceId(step, returned.call_id), callOf(returned)]),
    ),
  );
}

function callOf({ tool, args }: ToolReturned | CandidateSubmitted): string {
  return `${tool} ${(JSON.stringify(args) ?? "").slice(0, ARGUMENT_CHARACTERS)}`;
}
