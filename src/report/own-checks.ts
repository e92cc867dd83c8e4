import type { ScoreRecord } from "../core/run-record.js";
import { groupBy } from "./counting.js";
import { percent, UNDEFINED } from "./numbers.js";
import { type Rate, rateOver } from "./rate.js";

/*
 * What tasks' own checks came to, from the details of the scorers `claims` and `line-format`: lights that decide no pass.
 */

export interface OwnChecks {
  readonly lines: readonly { readonly name: string; readonly required: boolean; readonly complied: boolean }[];
  readonly claims: readonly { readonly check: string; readonly state: string }[];
}

/** Compliance with one line format (seed 2): mean of the tasks' rates, with error and interval. */
export interface LineFormatSummary extends Rate {
  readonly rule: string;
  readonly required: boolean;
  readonly trials: number;
  readonly complied: number;
}

/** Trials by what one claim check came to. */
export interface ClaimCheckSummary {
  readonly check: string;
  readonly passed: number;
  readonly red: number;
  readonly unchecked: number;
}

/** One for all scores without: there are many. */
const NO_OWN_CHECKS: OwnChecks = { lines: [], claims: [] };

/** Reads the lists that the two scorers write; anything else is nothing. */
export function ownChecksOf(details: ScoreRecord["details"]): OwnChecks {
  if (details.rules === undefined && details.checks === undefined) return NO_OWN_CHECKS;
  return {
    lines: records(details.rules).flatMap(({ name, required, complied }) =>
      typeof name === "string" && typeof complied === "boolean"
        ? [{ name, required: required === true, complied }]
        : [],
    ),
    claims: records(details.checks).flatMap(({ check, state }) =>
      typeof check === "string" && typeof state === "string" ? [{ check, state }] : [],
    ),
  };
}

function records(list: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => (typeof item === "object" && item !== null ? [{ ...item }] : []));
}

interface CheckedTrial {
  readonly task_id: string;
  readonly scores: ReadonlyMap<string, OwnChecks>;
}

export function summariseLineFormats(trials: readonly CheckedTrial[]): readonly LineFormatSummary[] {
  const lines = trials.flatMap(({ task_id, scores }) =>
    [...scores.values()].flatMap((score) => score.lines.map((line) => ({ task_id, ...line }))),
  );
  return [...groupBy(lines, ({ name }) => name)].map(([rule, all]) => {
    const complied = (some: typeof all) => some.filter((line) => line.complied).length;
    const byTask = [...groupBy(all, ({ task_id }) => task_id).values()];
    return {
      rule,
      required: all.some(({ required }) => required),
      trials: all.length,
      complied: complied(all),
      ...rateOver(byTask.map((some) => complied(some) / some.length)),
    };
  });
}

export function summariseClaimChecks(trials: readonly CheckedTrial[]): readonly ClaimCheckSummary[] {
  const claims = trials.flatMap(({ scores }) => [...scores.values()].flatMap((score) => score.claims));
  return [...groupBy(claims, ({ check }) => check)].map(([check, all]) => {
    const count = (state: string) => all.filter((one) => one.state === state).length;
    return { check, passed: count("passed"), red: count("red"), unchecked: count("unchecked") };
  });
}

export const LINE_FORMAT_HEADERS = ["line", "required", "trials", "complied", "compliance", "95 % CI"];

export function lineFormatRow({ rule, required, trials, complied, mean, ci95 }: LineFormatSummary): string[] {
  const interval = ci95 === null ? UNDEFINED : ci95.map((end) => Math.round(end * 100)).join("–");
  return [rule, required ? "yes" : "no", String(trials), String(complied), percent(mean), interval];
}

export const CLAIM_CHECK_HEADERS = ["claim check", "passed", "red", "unchecked"];

export function claimCheckRow({ check, passed, red, unchecked }: ClaimCheckSummary): string[] {
  return [check, ...[passed, red, unchecked].map(String)];
}
