import { DISCIPLINES, type Discipline } from "../core/profile.js";
import type { RunStart } from "../core/run-record.js";
import type { ArmSummary } from "./arm-summary.js";
import { percent, UNDEFINED } from "./numbers.js";

/** One dose: what an arm's discipline asked for, and how far its conclusions did it. Rates are 0 … 1, each with its interval. */
export interface Dose {
  readonly arm: string;
  readonly discipline: Discipline;
  /** Rule → compliance; null where the arm has no trial that the rule was checked on. */
  readonly compliance: Readonly<
    Record<string, { readonly mean: number | null; readonly ci95: readonly [number, number] | null }>
  >;
  readonly pass_rate: number | null;
  readonly pass_rate_ci95: readonly [number, number] | null;
  /** pass^k with k = repeats. */
  readonly pass_hat_n: number | null;
}

/** Compliance by how strictly it was asked for (seed 2): the doses in order, and of each rule whether it rises with them. */
export interface DoseResponse {
  readonly doses: readonly Dose[];
  readonly rules: readonly RuleResponse[];
}

export interface RuleResponse {
  readonly rule: string;
  /** No dose complies less than the one before it. */
  readonly monotone: boolean;
  /** The last dose's interval lies above the first one's: more than the tasks' spread explains. */
  readonly apart: boolean;
}

/** Null unless the arms ask for at least two doses of discipline, one arm each, and their tasks have line formats. */
export function doseResponse(start: RunStart, arms: readonly ArmSummary[]): DoseResponse | null {
  const doses = DISCIPLINES.flatMap((discipline) =>
    arms.filter((arm) => disciplineOf(start, arm.arm) === discipline).map((arm) => doseOf(arm, discipline)),
  );
  const rules = [...new Set(doses.flatMap((dose) => Object.keys(dose.compliance)))];
  const oneArmEach = new Set(doses.map((dose) => dose.discipline)).size === doses.length;
  if (doses.length < 2 || !oneArmEach || rules.length === 0) return null;
  return { doses, rules: rules.map((rule) => responseOf(rule, doses)) };
}

function disciplineOf(start: RunStart, arm: string): Discipline {
  return (start.arm_profiles[arm] ?? start.profile).discipline;
}

function doseOf(arm: ArmSummary, discipline: Discipline): Dose {
  return {
    arm: arm.arm,
    discipline,
    compliance: Object.fromEntries(arm.line_formats.map(({ rule, mean, ci95 }) => [rule, { mean, ci95 }])),
    pass_rate: arm.mean,
    pass_rate_ci95: arm.ci95,
    pass_hat_n: arm.pass_hat_k[String(arm.repeats)] ?? null,
  };
}

function responseOf(rule: string, doses: readonly Dose[]): RuleResponse {
  const measured = doses.flatMap((dose) => dose.compliance[rule] ?? []);
  const means = measured.map(({ mean }) => mean ?? 0);
  const [first, last] = [measured.at(0)?.ci95, measured.at(-1)?.ci95];
  return {
    rule,
    monotone: means.every((mean, index) => index === 0 || mean >= (means[index - 1] ?? 0)),
    apart: first != null && last != null && last[0] > first[1],
  };
}

/** Header and rows of the table: a dose a row, a column a rule, then pass rate and pass^n. */
export function doseTable({ doses, rules }: DoseResponse): { readonly headers: string[]; readonly rows: string[][] } {
  const cell = (mean: number | null, ci95: readonly [number, number] | null) =>
    ci95 === null ? percent(mean) : `${percent(mean)} (${ci95.map((end) => Math.round(end * 100)).join("–")})`;
  return {
    headers: ["discipline", ...rules.map(({ rule }) => rule), "pass rate", "pass^n"],
    rows: doses.map((dose) => [
      dose.discipline,
      ...rules.map(({ rule }) => {
        const found = dose.compliance[rule];
        return found === undefined ? UNDEFINED : cell(found.mean, found.ci95);
      }),
      cell(dose.pass_rate, dose.pass_rate_ci95),
      percent(dose.pass_hat_n),
    ]),
  };
}

/** A sentence a rule: whether compliance rises with the dose, and whether that is more than the tasks' spread. */
export function doseSentences({ doses, rules }: DoseResponse): string[] {
  const order = doses.map((dose) => dose.discipline).join(" → ");
  return rules.map(({ rule, monotone, apart }) => {
    const rises = monotone ? `rises monotonically over ${order}` : `does not rise at every step of ${order}`;
    const sure = apart ? "the last 95 % interval lies above the first" : "the 95 % intervals of first and last overlap";
    return `${rule}: ${rises}; ${sure}`;
  });
}
