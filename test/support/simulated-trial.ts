import { decide as decideAgent } from "../../src/agent/react.js";
import type { Effect } from "../../src/core/effect.js";
import type { CheckAnswer, PendingCall, QueryAnswer, TrialEvent, TrialEventBody } from "../../src/core/event.js";
import type { Profile } from "../../src/core/profile.js";
import { NEW_TRIAL, reduce } from "../../src/core/reduce.js";
import type { TrialState } from "../../src/core/state.js";
import { decide as decideCheck } from "../../src/validate/decide.js";
import { candidate, respond, started, toolReturned } from "./events.js";
import { validatorFailed, validatorReply } from "./validation-events.js";

/** What one turn of a simulated agent is, and what a simulated validator says. */
export const AGENT_TURNS = [
  "probe",
  "failing-probe",
  "read",
  "search",
  "submit",
  "probe-and-submit",
  "talk",
  "broken",
  "empty",
] as const;
export const VALIDATOR_TURNS = ["pass", "reject", "contradict", "prose", "no-valid", "fail"] as const;

export interface Simulation {
  readonly agent: readonly (typeof AGENT_TURNS)[number][];
  readonly validators: readonly (typeof VALIDATOR_TURNS)[number][];
  readonly profile: Profile;
}

export interface Moment {
  readonly state: TrialState;
  readonly effect: Effect;
  readonly events: readonly TrialEvent[];
}

/** The word that stands in every ledger of a simulated validator, and nowhere else. */
export const LEDGER_WORD = "LEDGERWORD";

/** Runs a trial without a process outside: the scripts go round, tools answer at once. Returns every moment, the last one finished. */
export function simulate({ agent, validators, profile }: Simulation): {
  moments: Moment[];
  events: TrialEvent[];
  state: TrialState;
} {
  const events: TrialEvent[] = [];
  const moments: Moment[] = [];
  let state = NEW_TRIAL;
  let [turns, verdicts] = [0, 0];
  const append = (body: TrialEventBody) => {
    const event = { seq: events.length, at: new Date(Date.UTC(2026, 0, 1) + events.length).toISOString(), ...body };
    state = reduce(state, event);
    events.push(event);
  };
  append(started());
  while (state.phase === "open") {
    if (events.length > 2000) throw new Error("the trial does not end");
    const effect = decideCheck(state, profile) ?? decideAgent(state, profile);
    moments.push({ state, effect, events: [...events] });
    if (effect.kind === "call-model") {
      const { purpose } = effect.request;
      if (purpose === "agent") append(agentTurn(agent[turns++ % agent.length] ?? "talk", turns));
      else if (purpose !== "process-validator" && purpose !== "answer-validator") {
        throw new Error(`the ${purpose} is not asked in this trial`);
      } else append(validatorTurn(purpose, validators[verdicts++ % validators.length] ?? "pass"));
    } else for (const body of outcomesOf(effect)) append(body);
  }
  return { moments, events, state };
}

function outcomesOf(effect: Exclude<Effect, { kind: "call-model" }>): TrialEventBody[] {
  switch (effect.kind) {
    case "record":
      return [effect.event];
    case "call-tools":
      return effect.calls.map(toolTurn);
    case "query": {
      const { validator, why, answer, queries } = effect;
      const results = queries.map(() => ANSWERS[answer]);
      return [{ type: "data-queried", validator, why, answer, queries, results, ms: 1 }];
    }
    case "run-command":
      throw new Error("the simulated agent is our own");
    case "finish":
      return [{ type: "trial-finished", outcome: effect.outcome, prediction: null, signature: null }];
    case "pause":
      return [{ type: "trial-suspended", why: "paused" }];
  }
}

/** What the data say to every check of each kind: nothing that speaks against the candidate. */
const ANSWERS: Readonly<Record<QueryAnswer, CheckAnswer>> = {
  tree: { ok: true, tree: { type: "SELECT_NODE", modifiers: [] } },
  rows: { ok: true, table: { columns: ["n"], types: ["BIGINT"], rows: [["1"]] }, truncated: false, ms: 1 },
  signature: { ok: true, columns: ["n"], rows: 1, signature: candidate("c").candidate.signature },
};

const CALLS: Readonly<Record<string, readonly string[]>> = {
  probe: ["execute_probe_query"],
  "failing-probe": ["failing"],
  read: ["read_doc"],
  search: ["search_doc"],
  submit: ["submit_tool_result"],
  "probe-and-submit": ["execute_probe_query", "submit_tool_result"],
};

function agentTurn(turn: Simulation["agent"][number], number: number): TrialEventBody {
  if (turn === "talk") return respond({ content: "It is 4, I think." });
  if (turn === "empty") return respond({ content: "" });
  if (turn === "broken") return respond({ calls: ["x"], args: "{oops" });
  const named = (CALLS[turn] ?? []).map((name, index) => ({ id: `t${number}_${index}`, name, arguments: "{}" }));
  const plain = respond({ content: null });
  return { ...plain, response: { ...plain.response, tool_calls: named } };
}

function toolTurn({ call }: PendingCall): TrialEventBody {
  if (call.name === "submit_tool_result") return candidate(call.id);
  return toolReturned(call.id, { tool: call.name, ok: call.name !== "failing" });
}

function validatorTurn(
  purpose: "process-validator" | "answer-validator",
  turn: Simulation["validators"][number],
): TrialEventBody {
  const ledger = (unverified: string[]) => ({
    intent_summary: LEDGER_WORD,
    verified_claims: [LEDGER_WORD],
    unverified_assumptions: unverified,
    drift_risks: [LEDGER_WORD],
  });
  switch (turn) {
    case "pass":
      return validatorReply(purpose, { valid: true, semantic_ledger: ledger([]) });
    case "reject":
      return validatorReply(purpose, {
        valid: false,
        issues: ["a gap"],
        required_next_actions: ["look"],
        semantic_ledger: ledger([LEDGER_WORD]),
      });
    case "contradict":
      return validatorReply(purpose, { valid: true, semantic_ledger: ledger(["an assumption"]) });
    case "prose":
      return validatorReply(purpose, "All is well.");
    case "no-valid":
      return validatorReply(purpose, { issues: [] });
    case "fail":
      return validatorFailed(purpose);
  }
}
