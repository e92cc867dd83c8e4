import type { TrialEvent } from "../../core/event.js";
import type { TrialIdentity } from "../../core/identity.js";
import type { AnswerPath } from "../../core/run-record.js";
import type { UsageRow } from "../../core/state.js";
import type { EndedCheck } from "../../core/validation-state.js";
import type { Comparison } from "../diff/diff.js";
import type { RunSummary } from "../summary.js";

/** What an HTML report shows before a trajectory is opened: decoded when the page loads. */
export interface PageData {
  /** The version of daw-eval that wrote the file. */
  readonly version: string;
  readonly runs: readonly RunPage[];
  /** Of the second run against the first, where there are just two. */
  readonly comparison: PageComparison | null;
}

/** What `daw-eval diff` says of two runs. */
export interface PageComparison {
  /** One a pair of arms; empty where nothing can be compared, and `left_out` then says why. */
  readonly comparisons: readonly Comparison[];
  readonly left_out: readonly string[];
  /** Why a run is not whole, a sentence a run: its rates are not the plan's. */
  readonly missing: readonly string[];
}

export interface RunPage {
  readonly summary: RunSummary;
  readonly trials: readonly TrialRow[];
}

/** One ended trial. */
export interface TrialRow extends TrialIdentity {
  readonly attempt: number;
  /** How it ended, in words. */
  readonly outcome: string;
  /** What the primary scorer says; null where it says nothing. */
  readonly status: string | null;
  readonly score: number | null;
  /** By scorer: 0 … 1, null where it could not score. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** What became of the checks of evidence and form; null where the trial brought no answer. */
  readonly validation: { readonly process: string; readonly answer: string } | null;
  readonly checks: readonly EndedCheck[];
  readonly steps: number;
  readonly wall_ms: number;
  readonly model_ms: number;
  readonly tool_ms: number;
  readonly cost_usd: number | null;
  /** Input and output; null where no endpoint said. */
  readonly tokens: number | null;
  readonly usage: readonly UsageRow[];
  readonly path: AnswerPath;
}

/** What is decoded when a trial is opened. */
export interface Trajectory {
  readonly events: readonly TrialEvent[];
  /** Null without `--gold`, or where there is no gold or no readable prediction. */
  readonly gold: GoldComparison | null;
}

/** An answer against the gold table, column by column. Holds cells of the gold: made only where a person asks for it. */
export interface GoldComparison {
  readonly gold_rows: number;
  readonly predicted_rows: number;
  readonly columns: readonly GoldColumn[];
  /** Names of predicted columns that no gold column is paired or compared with. */
  readonly extra: readonly string[];
}

export interface GoldColumn {
  readonly gold: string;
  readonly matched: boolean;
  /** The predicted column that shares most cells with an unmatched one; null where it is matched or none is left. */
  readonly predicted: string | null;
  /** The first rows of gold whose cell the predicted column lacks, and the first of its own that gold lacks. Rows count from 1. */
  readonly missing: readonly RowCell[];
  readonly surplus: readonly RowCell[];
}

export interface RowCell {
  readonly row: number;
  readonly cell: string;
}

/** Id of the element that holds a trial's trajectory: runs and trials by their position in the page. */
export function trajectoryElement(run: number, trial: number): string {
  return `trajectory-${run}-${trial}`;
}
