import { describe, expect, it } from "vitest";
import type { Effect } from "../../src/core/effect.js";
import type { ModelRequest, Purpose } from "../../src/core/message.js";
import { allowance } from "../../src/run/allowance.js";
import { started } from "../support/events.js";
import { profileWith } from "../support/profile.js";
import { stateAfter, steps } from "../support/trial.js";
import { validatorReply } from "../support/validation-events.js";

const ask = (purpose: Purpose): Effect => {
  const request: ModelRequest = { purpose, messages: [], tools: [], temperature: 0, seed: 1, max_output_tokens: null };
  return { kind: "call-model", request };
};
const query: Effect = {
  kind: "query",
  validator: "process",
  why: "a check",
  answer: "rows",
  queries: ["SELECT 1", "SELECT 2"],
};
const profile = (mode: "observe" | "enforce") => profileWith({ limits: { seconds: 10 }, process_validation: { mode } });
/** 5 seconds in, one of them a validator's. */
const state = stateAfter(started(), ...steps(2), validatorReply("process-validator", { valid: true }));

describe("the time that an effect may take", () => {
  it("is what the trial has left, and its end is the trial's limit", () => {
    expect(allowance(ask("agent"), state, profile("enforce"))).toEqual({
      seconds: 5,
      spent: { type: "limit-reached", limit: "seconds", detail: "cut off at 10 s" },
    });
    expect(allowance(ask("process-validator"), state, profile("enforce"))).toMatchObject({
      seconds: 5,
      spent: { type: "limit-reached" },
    });
  });

  it("leaves the agent what observing validators took", () => {
    expect(allowance(ask("agent"), state, profile("observe"))).toMatchObject({ seconds: 6 });
  });

  it("is the whole limit for a check that only observes, whose end is its own failure and not the trial's", () => {
    expect(allowance(ask("process-validator"), state, profile("observe"))).toMatchObject({
      seconds: 10,
      spent: { type: "model-failed", purpose: "process-validator", final: true, failure: { class: "timeout" } },
    });
    expect(allowance(query, state, profile("observe"))).toMatchObject({
      seconds: 10,
      spent: { type: "data-queried", results: [{ ok: false, error: { code: "timeout" } }, { ok: false }] },
    });
    expect(allowance(ask("answer-validator"), state, profile("observe"))).toMatchObject({
      spent: { type: "limit-reached" },
    });
  });
});
