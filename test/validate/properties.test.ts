import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide as decideAgent } from "../../src/agent/react.js";
import { digestOf } from "../../src/core/digest.js";
import type { Effect } from "../../src/core/effect.js";
import type { TrialEvent } from "../../src/core/event.js";
import { ERROR_POLICIES, type Profile } from "../../src/core/profile.js";
import { fold, NEW_TRIAL, reduce } from "../../src/core/reduce.js";
import { decide as decideCheck } from "../../src/validate/decide.js";
import { profileWith } from "../support/profile.js";
import { AGENT_TURNS, LEDGER_WORD, type Simulation, simulate, VALIDATOR_TURNS } from "../support/simulated-trial.js";

const mode = fc.constantFrom("off" as const, "observe" as const, "enforce" as const);
const scripts = {
  agent: fc.array(fc.constantFrom(...AGENT_TURNS), { minLength: 1, maxLength: 8 }),
  validators: fc.array(fc.constantFrom(...VALIDATOR_TURNS), { minLength: 1, maxLength: 5 }),
};
const settings = {
  mode,
  interval: fc.integer({ min: 1, max: 5 }),
  process_retries: fc.integer({ min: 0, max: 3 }),
  answer_retries: fc.integer({ min: 0, max: 3 }),
  answer_mode: mode,
  on_error: fc.constantFrom(...ERROR_POLICIES),
  max_steps: fc.integer({ min: 1, max: 14 }),
};
type Settings = {
  [Key in keyof typeof settings]: (typeof settings)[Key] extends fc.Arbitrary<infer Value> ? Value : never;
};

function profileOf(given: Settings): Profile {
  return profileWith({
    agent: { max_steps: given.max_steps },
    limits: { seconds: 1e6 },
    process_validation: {
      mode: given.mode,
      checkpoint_interval: given.interval,
      retry_limit: given.process_retries,
      on_error: given.on_error,
    },
    answer_validation: { mode: given.answer_mode, retry_limit: given.answer_retries, on_error: given.on_error },
  });
}

const simulation: fc.Arbitrary<Simulation> = fc
  .record({ ...scripts, settings: fc.record(settings) })
  .map(({ agent, validators, settings: given }) => ({ agent, validators, profile: profileOf(given) }));

/** Whether an effect is what brought an event about. */
function leadsTo(effect: Effect, next: TrialEvent): boolean {
  const { seq: _seq, at: _at, ...body } = next;
  switch (effect.kind) {
    case "record":
      return digestOf(effect.event) === digestOf(body);
    case "call-model":
      return (
        (next.type === "model-responded" || next.type === "model-failed") && next.purpose === effect.request.purpose
      );
    case "call-tools":
      return (
        (next.type === "tool-returned" || next.type === "candidate-submitted") &&
        effect.calls.some(({ call }) => call.id === next.call_id)
      );
    case "query":
      return (
        next.type === "data-queried" &&
        digestOf([next.answer, next.queries]) === digestOf([effect.answer, effect.queries])
      );
    case "finish":
      return next.type === "trial-finished" && digestOf(next.outcome) === digestOf(effect.outcome);
    case "run-command":
      return next.type === "command-started";
    case "pause":
      return next.type === "trial-suspended";
  }
}

describe("any trial with any validators", () => {
  it("ends, and can be taken up at every one of its events with the same next step", () => {
    fc.assert(
      fc.property(simulation, (given) => {
        const { events } = simulate(given);
        expect(events.at(-1)?.type).toBe("trial-finished");
        for (let length = 1; length < events.length; length++) {
          const state = fold(events.slice(0, length));
          const effect = decideCheck(state, given.profile) ?? decideAgent(state, given.profile);
          const next = events[length];
          expect(next !== undefined && leadsTo(effect, next), `after event ${length - 1}`).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("keeps the conversation growing at its end and the ledger out of it", () => {
    fc.assert(
      fc.property(simulation, (given) => {
        const { events } = simulate(given);
        let state = NEW_TRIAL;
        for (const event of events) {
          const next = reduce(state, event);
          // Results of an open turn take the order of its calls.
          const turnIsOpen = state.turn.kind === "calls";
          const turnStart = state.history.findLastIndex(({ role }) => role === "assistant");
          const kept = turnIsOpen ? turnStart + 1 : state.history.length;
          expect(next.history.slice(0, kept)).toEqual(state.history.slice(0, kept));
          expect(next.history.length).toBeGreaterThanOrEqual(state.history.length);
          state = next;
        }
        expect(JSON.stringify(state.history)).not.toContain(LEDGER_WORD);
      }),
      { numRuns: 150 },
    );
  });

  it("never resets the latch, asks no process validator under it, and spends no more rejections than it has", () => {
    fc.assert(
      fc.property(simulation, (given) => {
        const { moments, state } = simulate(given);
        const { process_validation, answer_validation } = given.profile;
        let passed = false;
        for (const { state: now, effect } of moments) {
          expect(now.validation.process.passed || !passed).toBe(true);
          passed = now.validation.process.passed;
          if (passed)
            expect(effect.kind === "call-model" && effect.request.purpose === "process-validator").toBe(false);
        }
        expect(state.validation.process.rejections).toBeLessThanOrEqual(process_validation.retry_limit + 1);
        expect(state.validation.answer.rejections).toBeLessThanOrEqual(answer_validation.retry_limit);
        if (process_validation.retry_limit === 0) expect(state.validation.process.rejections).toBe(0);
        expect(state.step).toBe(state.trajectory.length);
      }),
      { numRuns: 150 },
    );
  });

  it("that only observe leave the agent's requests and the outcome as they are without them", () => {
    fc.assert(
      fc.property(
        fc.record({ ...scripts, settings: fc.record(settings) }),
        ({ agent, validators, settings: given }) => {
          const requests = (as: "off" | "observe") => {
            const { moments, state } = simulate({
              agent,
              validators,
              profile: profileOf({ ...given, mode: as, answer_mode: as }),
            });
            const asked = moments.flatMap(({ effect }) =>
              effect.kind === "call-model" && effect.request.purpose === "agent" ? [effect.request] : [],
            );
            const { outcome } = state;
            return { asked, outcome: outcome?.kind === "answered" ? { ...outcome, validation: null } : outcome };
          };
          expect(requests("observe")).toEqual(requests("off"));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("that refuse an answer's form never lose it", () => {
    fc.assert(
      fc.property(simulation, (given) => {
        const { events, state } = simulate(given);
        const refused = events.some((event) => event.type === "candidate-cleared" && event.by === "answer");
        if (refused) expect(state.outcome?.kind).toBe("answered");
      }),
      { numRuns: 150 },
    );
  });
});
