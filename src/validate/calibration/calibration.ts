import type { Label, RuledExample, Ruling } from "./example.js";
import { type BothRates, labelled, type Rate, rateOf, ratesAt } from "./rates.js";
import { bestThreshold, type Targets, type ThresholdRow, thresholdRows } from "./thresholds.js";

/** How tight a judge is. Everything but `held_out` is of examples that are not held out. */
export interface Calibration extends BothRates {
  readonly examples: Readonly<Record<Label, number>>;
  /** Interception of bad examples, by what is wrong with them; `unnamed` last. */
  readonly by_failure_mode: readonly (Rate & { readonly failure_mode: string })[];
  /** Scores in tenths; the last holds 1 too. Empty where the judge gives none. */
  readonly histogram: readonly { readonly from: number; readonly good: number; readonly bad: number }[];
  /** Rulings that have no score: refused by code before anyone was asked, malformed, not heard. */
  readonly without_score: Readonly<Record<"by_code" | "malformed" | "unheard", Readonly<Record<Label, number>>>>;
  readonly thresholds: readonly ThresholdRow[];
  /** The threshold in force, and the one that serves these examples best; null where there is none to choose. */
  readonly passed_at: number | null;
  readonly best: number | null;
  /** What was never looked at to choose: at the threshold in force, and at the best one. */
  readonly held_out: BothRates & { readonly examples: Readonly<Record<Label, number>>; readonly at_best: BothRates };
  readonly consistency: Consistency;
  /** Examples that are ruled wrong at least once, held-out ones too. */
  readonly missed: readonly MissedExample[];
}

/** How far a judge agrees with itself when it is asked the same again. */
export interface Consistency {
  /** Examples that it was asked about more than once. */
  readonly n: number;
  /** Share of pairs of its rulings on one example that agree, the mean over examples; null of none. */
  readonly agreement: number | null;
  /** Examples that it both passed and refused. */
  readonly mixed: number;
  /** From its lowest to its highest score of one example, the mean over examples; null without scores. */
  readonly score_range: number | null;
}

export interface MissedExample {
  readonly at: string;
  readonly label: Label;
  readonly failure_mode: string | null;
  readonly held_out: boolean;
  /** Rulings that are wrong, and all of them. */
  readonly wrong: number;
  readonly of: number;
  /** The first wrong ruling's. */
  readonly score: number | null;
  readonly reason: string;
}

/** Measures a judge by its rulings. `passedAt` is the threshold in force, null for a judge that gives no scores. Pure. */
export function calibrationOf(all: readonly RuledExample[], passedAt: number | null, targets: Targets): Calibration {
  const ruled = all.filter(({ example }) => !example.held_out);
  const heldOut = all.filter(({ example }) => example.held_out);
  const thresholds = passedAt === null ? [] : thresholdRows(ruled, passedAt);
  const best = passedAt === null ? null : bestThreshold(thresholds, passedAt, targets);
  return {
    examples: countLabels(ruled),
    ...ratesAt(ruled, null),
    by_failure_mode: failureModes(ruled),
    histogram: histogram(ruled),
    without_score: {
      by_code: countRulings(ruled, (ruling) => "by" in ruling && ruling.by === "code"),
      malformed: countRulings(ruled, ({ kind }) => kind === "malformed"),
      unheard: countRulings(ruled, ({ kind }) => kind === "unheard"),
    },
    thresholds,
    passed_at: passedAt,
    best,
    held_out: { examples: countLabels(heldOut), ...ratesAt(heldOut, null), at_best: ratesAt(heldOut, best) },
    consistency: consistency(ruled),
    missed: all.flatMap(missed),
  };
}

const countLabels = (ruled: readonly RuledExample[]): Record<Label, number> => ({
  good: labelled(ruled, "good").length,
  bad: labelled(ruled, "bad").length,
});

function countRulings(ruled: readonly RuledExample[], counts: (ruling: Ruling) => boolean): Record<Label, number> {
  const of = (label: Label) =>
    labelled(ruled, label).reduce((sum, { rulings }) => sum + rulings.filter(counts).length, 0);
  return { good: of("good"), bad: of("bad") };
}

function failureModes(ruled: readonly RuledExample[]): Calibration["by_failure_mode"] {
  const bad = labelled(ruled, "bad");
  const modes = [...new Set(bad.map(({ example }) => example.failure_mode))].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : a < b ? -1 : 1,
  );
  return modes.map((mode) => ({
    failure_mode: mode ?? "unnamed",
    ...rateOf(
      bad.filter(({ example }) => example.failure_mode === mode),
      "refused",
      null,
    ),
  }));
}

function histogram(ruled: readonly RuledExample[]): Calibration["histogram"] {
  const scores = (label: Label) => labelled(ruled, label).flatMap(({ rulings }) => rulings.flatMap(scoreOf));
  const [good, bad] = [scores("good"), scores("bad")];
  if (good.length + bad.length === 0) return [];
  const inTenth = (values: readonly number[], tenth: number) =>
    values.filter((score) => Math.min(9, Math.floor(score * 10 + 1e-9)) === tenth).length;
  return Array.from({ length: 10 }, (_, tenth) => ({
    from: tenth / 10,
    good: inTenth(good, tenth),
    bad: inTenth(bad, tenth),
  }));
}

const scoreOf = (ruling: Ruling): number[] => ("score" in ruling && ruling.score !== null ? [ruling.score] : []);

function consistency(ruled: readonly RuledExample[]): Consistency {
  const asked = ruled
    .map(({ rulings }) => rulings.filter((ruling) => "by" in ruling && ruling.by === "model"))
    .filter((rulings) => rulings.length > 1);
  const agreements = asked.map(agreement);
  const ranges = asked.map((rulings) => rulings.flatMap(scoreOf)).filter((scores) => scores.length > 1);
  return {
    n: asked.length,
    agreement: meanOf(agreements),
    mixed: agreements.filter((share) => share < 1).length,
    score_range: meanOf(ranges.map((scores) => Math.max(...scores) - Math.min(...scores))),
  };
}

/** Of a passes and b refusals, a(a−1) + b(b−1) of all n(n−1) ordered pairs agree. */
function agreement(rulings: readonly Ruling[]): number {
  const [n, passed] = [rulings.length, rulings.filter(({ kind }) => kind === "passed").length];
  const refused = n - passed;
  return (passed * (passed - 1) + refused * (refused - 1)) / (n * (n - 1));
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

function missed({ example, rulings }: RuledExample): MissedExample[] {
  const right = example.label === "good" ? "passed" : "refused";
  const wrong = rulings.filter(({ kind }) => kind !== right && kind !== "unheard");
  const [first] = wrong;
  if (first === undefined) return [];
  const { at, label, failure_mode, held_out } = example;
  const said = "reason" in first ? { score: first.score, reason: first.reason } : { score: null, reason: first.error };
  return [{ at, label, failure_mode, held_out, wrong: wrong.length, of: rulings.length, ...said }];
}
