import { countNames } from "./counting.js";
import type { ScoreFacts } from "./run-facts.js";

/** How one task fails: `stable`, the same way each time, is a defect that can be found; `noisy` differs from try to try. */
export type Stability = "stable" | "noisy";

export interface TaskFailures {
  /** How its missed trials failed, most frequent first. */
  readonly failure_modes: readonly { readonly mode: string; readonly trials: number }[];
  /** Null with fewer than two misses: what happened once has not repeated. */
  readonly failures: Stability | null;
}

/** A missed trial: what kept it from passing, and all scores of it. */
export interface MissedTrial {
  readonly note: string;
  readonly primary: ScoreFacts;
  readonly scores: ReadonlyMap<string, ScoreFacts>;
}

/** What the missed trials of one task have in common (seed 2). Trials that ended in an infra-error are no failures of the agent. */
export function taskFailures(missed: readonly MissedTrial[]): TaskFailures {
  const modes = Object.entries(countNames(missed.map(failureMode)))
    .map(([mode, trials]) => ({ mode, trials }))
    .sort((a, b) => b.trials - a.trials);
  return { failure_modes: modes, failures: missed.length < 2 ? null : modes.length === 1 ? "stable" : "noisy" };
}

/** How the trial ended or which columns were wrong, which claims were red, which lines were missing: `gold columns 1, 3 missed + red: teams ∈ ledger`. */
function failureMode({ note, primary, scores }: MissedTrial): string {
  const all = [...scores.values()];
  const red = all.flatMap(({ claims }) => claims.filter(({ state }) => state === "red").map(({ check }) => check));
  const missing = all.flatMap(({ lines }) =>
    lines.filter(({ required, complied }) => required && !complied).map(({ name }) => name),
  );
  return [
    note === primary.shortfall ? (primary.missed_columns ?? note) : note,
    ...(red.length > 0 ? [`red: ${red.join(", ")}`] : []),
    ...(missing.length > 0 ? [`line missing: ${missing.join(", ")}`] : []),
  ].join(" + ");
}
