import type { RunEnd, RunRecord } from "../core/run-record.js";
import { type ArmSummary, summariseArm } from "./arm-summary.js";
import { type DoseResponse, doseResponse } from "./dose-response.js";
import { type PassGate, passGate } from "./pass-gate.js";
import { gatherFacts } from "./run-facts.js";
import type { Metric } from "./task-summary.js";

/** `report RUN --json`. Stable names (DESIGN §8); null is "undefined here", never 0; rates are 0 … 1. */
export interface RunSummary {
  readonly run_id: string;
  /** `interrupted` also where the log has no run-end. */
  readonly status: RunEnd["status"];
  readonly started_at: string;
  /** Id of the run whose answers this one was given again; null for a run of its own. */
  readonly replay_of: string | null;
  /** The runs of another tool that this one was imported from, a repeat each; null for a run of our own. */
  readonly imported_from: readonly string[] | null;
  readonly suite: string;
  readonly profile: string;
  readonly model: string;
  readonly strategy: string;
  readonly seed: number;
  /** What a pass is, as the profile has it. λ is not published by the organisers, so it is always said. */
  readonly scoring: {
    readonly primary: string;
    readonly penalty: number;
    readonly names: string;
    readonly pass_min_score: number | null;
  };
  /** Differences that a resume overrode with --force: the trials of this run were not all made alike. */
  readonly forced: readonly string[];
  readonly arms: readonly ArmSummary[];
  /** Compliance with line formats by how strictly the arms asked for it; null where they do not differ in that. */
  readonly dose_response: DoseResponse | null;
  /** Null where neither the call nor the profile asks for a least rate, and no task is listed under `must_pass`. */
  readonly gate: PassGate | null;
  /** The run is completed and had no more infra-errors than `gate.max_infra` allows. */
  readonly whole: boolean;
}

export interface SummaryOptions {
  readonly metric: Metric;
  /** Least mean of the gate, 0 … 1; null: the profile's `gate.min_pass`. */
  readonly min_pass: number | null;
}

/** Reads one run's records once, in order, keeping a few numbers a trial. Throws RunLogError where there is no run-start. */
export async function summariseRun(
  records: AsyncIterable<RunRecord> | Iterable<RunRecord>,
  options: SummaryOptions,
): Promise<RunSummary> {
  const facts = await gatherFacts(records);
  const { start, status, forced } = facts;
  const arms = start.arms.map((arm) => summariseArm(arm, facts, options.metric));
  const least = options.min_pass ?? start.profile.gate.min_pass;
  const infra = arms.reduce((sum, arm) => sum + arm.infra, 0);
  return {
    run_id: start.run_id,
    status,
    started_at: start.at,
    replay_of: start.replay_of?.run_id ?? null,
    imported_from: start.imported?.runs.map(({ run_id }) => run_id) ?? null,
    suite: start.suite.name,
    profile: start.profile.name,
    model: `${start.profile.model.provider}/${start.profile.model.name}`,
    strategy: start.profile.agent.strategy,
    seed: start.seed,
    scoring: {
      primary: start.profile.scoring.primary,
      penalty: start.profile.scoring.penalty,
      names: start.profile.scoring.names,
      pass_min_score: start.profile.scoring.pass_min_score,
    },
    forced,
    arms,
    dose_response: doseResponse(start, arms),
    gate: passGate(arms, least, start),
    whole: status === "completed" && infra <= start.profile.gate.max_infra,
  };
}
