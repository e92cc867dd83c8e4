import type { Language } from "../../core/language.js";
import { CHINESE } from "./chinese.js";
import { ENGLISH } from "./english.js";

/** Rows of a table that a join repeats: `distinct` rows stand `joined` times. */
export interface Repeated {
  readonly table: string;
  readonly joined: number;
  readonly distinct: number;
}

export type FanOutMend = "aggregate-first" | "exists" | "by-key" | "distinct" | "distinct-or-exists";
/** Which part of a query leaves nothing. */
export type EmptyPart = "join" | "filter" | "group" | "count";

/** What code says of a candidate: each one sentence for the agent and the validator. What, where, and what would settle it. */
export interface FindingWords {
  readonly unseenTable: (table: string) => string;
  /** `columns` as `table.column`. */
  readonly unseenColumns: (columns: readonly string[]) => string;
  readonly unseenValue: (column: string, condition: string, nearest: readonly string[]) => string;
  readonly unprovenJoin: (pair: string) => string;
  readonly fanOut: (made: FanOutWords) => string;
  readonly previewRows: (rows: number, step: number) => string;
  readonly previewCells: (example: string) => string;
  readonly unaskedLimit: (rows: number | null) => string;
  readonly fails: (message: string) => string;
  readonly otherValues: (rows: number, candidateRows: number) => string;
  readonly arbitraryOrder: (by: string) => string;
  readonly emptyStage: (part: EmptyPart, text: string, why: string) => string;
  readonly nullEquals: string;
  readonly turnedRound: string;
  readonly columnHas: (value: string) => string;
  readonly guessed: (values: readonly string[]) => string;
  readonly tableWithoutRows: (table: string) => string;
  readonly everyLook: (table: string, how: "failed" | "cut") => string;
  readonly noRoom: (table: string) => string;
  readonly extractedInPart: (table: string, path: string, lines: string) => string;
  readonly everyReading: (path: string) => string;
  readonly documentIgnored: (path: string, words: readonly string[]) => string;
  /** `pairs`: a used column, and those beside it. */
  readonly similarColumns: (table: string, pairs: readonly (readonly [string, readonly string[]])[]) => string;
  readonly imageWithoutReceipt: (path: string) => string;
  readonly emptyTable: (columns: number) => string;
  readonly percentSign: (column: string, cells: number) => string;
  readonly looseDate: (column: string, cells: number, example: string) => string;
  readonly duplicateColumn: (column: string, other: string) => string;
  readonly constantColumn: (column: string, value: string | undefined, rows: number) => string;
  readonly retypedTable: (cells: number) => string;
  readonly claim: (said: ClaimWords) => string;
  readonly notVerified: (assumption: string) => string;
}

export interface FanOutWords {
  /** What is made of the repeated rows: `sum("price")`; null for the answer itself. */
  readonly what: string | null;
  readonly verb: "takes" | "counts" | "shows";
  readonly rows: readonly Repeated[];
  readonly mend: FanOutMend;
}

export interface ClaimWords {
  readonly check: string;
  /** Null where the finding is of no name in the text. */
  readonly entity: string | null;
  /** The text says itself that there is nothing under that name. */
  readonly isDenied: boolean;
  readonly nearest: readonly string[];
  readonly sentence: string | null;
  /** The reconciliation's own sentence, in English. */
  readonly detail: string;
}

/** The sentences of messages to the agent that stand around a verdict's issues and required actions. */
export interface FeedbackWords {
  readonly process: (hasCandidate: boolean) => string;
  readonly answer: string;
  readonly issues: string;
  readonly actions: string;
  readonly noReason: string;
  readonly needsEvidence: string;
  readonly formOnly: string;
  readonly claims: string;
  readonly legalNames: string;
  readonly refused: string;
  readonly uncheckable: string;
  readonly mend: string;
  /** To a judge whose reply is no verdict. */
  readonly unreadable: (error: string) => string;
}

/** All that checks say in words, in one language: a text that one language lacks does not compile. */
export interface Wording {
  readonly findings: FindingWords;
  readonly feedback: FeedbackWords;
}

const WORDINGS: Readonly<Record<Language, Wording>> = { en: ENGLISH, zh: CHINESE };

/** The words of a trial's language, which is its question's. */
export function wordingOf(language: Language): Wording {
  return WORDINGS[language];
}
