import type { CheckResult } from "../answer/claims/check.js";
import { type ClaimLabel, type LabelCounts, labelKey, precisionOf, recallOf } from "./claim-labels.js";

/** The claim checks of one answer. */
export interface ReconciledAnswer {
  /** `task#k@arm`; null where the text was no trial's. */
  readonly trial: string | null;
  readonly results: readonly CheckResult[];
}

/** A red entity over all answers: where the next line of discipline is to be written (seed 2, section 10). */
export interface RedGroup {
  readonly check: string;
  readonly entity: string;
  /** Red findings. */
  readonly count: number;
  readonly trials: readonly string[];
  readonly nearest: readonly string[];
}

export interface CheckSummary {
  readonly check: string;
  /** Answers by what the check came to. */
  readonly passed: number;
  readonly red: number;
  readonly unchecked: number;
  /** Of its red entities those that have a label, and those of them that are real. */
  readonly labels: number;
  readonly real: number;
  /** Entities of these answers that a label calls real and the check does not find. */
  readonly missed: number;
  /** Share of labelled red entities that are real; null without labels. */
  readonly precision: number | null;
  /** Share of known real mismatches that the check finds; null where none is known. */
  readonly recall: number | null;
}

/** Red entities by check and entity, most frequent first. Pure. */
export function groupReds(answers: readonly ReconciledAnswer[]): readonly RedGroup[] {
  const groups = new Map<string, { group: RedGroup; trials: Set<string> }>();
  for (const { trial, finding } of reds(answers)) {
    const key = JSON.stringify([finding.check, finding.entity]);
    const before = groups.get(key);
    const trials = before?.trials ?? new Set<string>();
    if (trial !== null) trials.add(trial);
    const { check, entity, nearest } = finding;
    groups.set(key, { trials, group: { check, entity, nearest, count: (before?.group.count ?? 0) + 1, trials: [] } });
  }
  return [...groups.values()]
    .map(({ group, trials }) => ({ ...group, trials: [...trials] }))
    .sort((a, b) => b.count - a.count);
}

/** What each check came to, and how good it is by the labels of these answers. Pure. */
export function summariseChecks(
  answers: readonly ReconciledAnswer[],
  labels: readonly ClaimLabel[],
): readonly CheckSummary[] {
  const names = [...new Set(answers.flatMap(({ results }) => results.map(({ check }) => check)))];
  return names.map((check) => {
    const results = answers.flatMap((answer) => answer.results.filter((result) => result.check === check));
    const states = (state: CheckResult["state"]) => results.filter((result) => result.state === state).length;
    const counts = measure(check, answers, labels);
    return {
      check,
      passed: states("passed"),
      red: states("red"),
      unchecked: states("unchecked"),
      ...counts,
      precision: precisionOf(counts),
      recall: recallOf(counts),
    };
  });
}

function measure(check: string, answers: readonly ReconciledAnswer[], labels: readonly ClaimLabel[]): LabelCounts {
  const trials = new Set(answers.map(({ trial }) => trial));
  const found = new Set(
    reds(answers)
      .filter(({ finding }) => finding.check === check)
      .map(({ trial, finding }) => labelKey({ check, entity: finding.entity, trial })),
  );
  const own = labels.filter((label) => label.check === check && trials.has(label.trial));
  const ofReds = own.filter((label) => found.has(labelKey(label)));
  return {
    labels: ofReds.length,
    real: ofReds.filter(({ real }) => real).length,
    missed: own.filter((label) => label.real && !found.has(labelKey(label))).length,
  };
}

function reds(answers: readonly ReconciledAnswer[]) {
  return answers.flatMap(({ trial, results }) =>
    results
      .flatMap(({ findings }) => findings)
      .flatMap((finding) =>
        finding.level === "red" && finding.entity !== null
          ? [{ trial, finding: { ...finding, entity: finding.entity } }]
          : [],
      ),
  );
}
