import { IllegalTransition } from "./errors.js";
import type { ExtractionRequested, ModelFailed, ModelResponded } from "./event.js";
import type { TrialState } from "./state.js";
import { countRequest, countResponse, tokensOf } from "./totals.js";

/** A part of a document's prose, and what is to be read from it. */
export interface PassageQuestion {
  /** The document's, as the catalog has it. */
  readonly path: string;
  /** What each row is to have, as far as the passage says it. */
  readonly fields: readonly string[];
  /** Which of the call's passages, from 0. */
  readonly passage: number;
  readonly passages: number;
  /** Its lines with their numbers in the document, from 1; a long line may be there in parts. */
  readonly lines: readonly PassageLine[];
  /** Why the reply before could not be used; null where the passage is asked about for the first time. */
  readonly mend: string | null;
}

export interface PassageLine {
  readonly line: number;
  readonly text: string;
}

/** What the extractor said to one question, or why it could not be heard. */
export type ExtractorReply =
  | { readonly ok: true; readonly content: string | null }
  | { readonly ok: false; readonly error: string };

export interface AskedPassage {
  readonly question: PassageQuestion;
  /** Null while it is being asked. */
  readonly reply: ExtractorReply | null;
}

/** What a trial's extractor did. */
export interface ExtractorState {
  /** The call that waits for it, and what it asked so far; null between calls. */
  readonly open: { readonly call_id: string; readonly asked: readonly AskedPassage[] } | null;
  /** Replies and final failures so far, those from the cache too, so that a budget does not depend on it. */
  readonly calls: number;
  /** Input and output tokens of the replies, as far as the endpoint counts them. */
  readonly tokens: number;
}

export const NO_EXTRACTION: ExtractorState = { open: null, calls: 0, tokens: 0 };

/** What a call asked so far; nothing where it has not asked yet. */
export function askedBy(callId: string, { open }: ExtractorState): readonly AskedPassage[] {
  return open?.call_id === callId ? open.asked : [];
}

/** The question that waits for the extractor; null where none does. */
export function openQuestion({ extractor }: TrialState): PassageQuestion | null {
  const last = extractor.open?.asked.at(-1);
  return last !== undefined && last.reply === null ? last.question : null;
}

export function afterExtractionRequest(state: TrialState, event: ExtractionRequested): TrialState {
  const { call_id, path, fields, passage, passages, lines, mend } = event;
  const { turn, extractor } = state;
  const isOpen = turn.kind === "calls" && turn.pending.some(({ call }) => call.id === call_id);
  const isOwn = extractor.open === null || extractor.open.call_id === call_id;
  if (!isOpen || !isOwn || openQuestion(state) !== null) {
    throw new IllegalTransition(`extraction-requested by call ${call_id}, which cannot ask now`);
  }
  const question: PassageQuestion = { path, fields, passage, passages, lines, mend };
  const asked = [...askedBy(call_id, extractor), { question, reply: null }];
  return { ...state, extractor: { ...extractor, open: { call_id, asked } } };
}

export function afterExtractorResponse(state: TrialState, event: ModelResponded): TrialState {
  const { content, usage } = event.response;
  const next = withReply(state, { ok: true, content }, tokensOf(usage));
  return { ...next, totals: countResponse(state.totals, event) };
}

/** An extractor that cannot be reached fails its tool's call and no more; a replay that diverged ends the trial whoever was asked. */
export function afterExtractorFailure(state: TrialState, { failure, final, ms }: ModelFailed): TrialState {
  const error = `${failure.class}: ${failure.message}`;
  return {
    ...(final ? withReply(state, { ok: false, error }, 0) : state),
    failure: failure.class === "replay-diverged" ? failure : state.failure,
    totals: countRequest(state.totals, failure.class, ms),
  };
}

function withReply(state: TrialState, reply: ExtractorReply, tokens: number): TrialState {
  const { open, ...spent } = state.extractor;
  const last = open?.asked.at(-1);
  if (!open || last === undefined || last.reply !== null) {
    throw new IllegalTransition("an extractor's reply to no question");
  }
  const asked = [...open.asked.slice(0, -1), { ...last, reply }];
  const extractor = { open: { ...open, asked }, calls: spent.calls + 1, tokens: spent.tokens + tokens };
  return { ...state, extractor };
}

/** A call that has returned asks no more. */
export function afterExtractingCall(extractor: ExtractorState, callId: string): ExtractorState {
  return extractor.open?.call_id === callId ? { ...extractor, open: null } : extractor;
}
