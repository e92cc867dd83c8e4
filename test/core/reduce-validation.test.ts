import { describe, expect, it } from "vitest";
import { IllegalTransition } from "../../src/core/errors.js";
import type { TrialEventBody } from "../../src/core/event.js";
import type { AnswerValidated, ProcessValidated } from "../../src/core/event-validation.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { stateAfter, steps } from "../support/trial.js";
import { LEDGER, validatorReply } from "../support/validation-events.js";

const FILE = "candidate-1.csv";

function processValidated(more: Partial<ProcessValidated> = {}): ProcessValidated {
  return {
    type: "process-validated",
    trigger: "candidate",
    step: 1,
    mode: "enforce",
    by: "model",
    verdict: "passed",
    issues: [],
    required_next_actions: [],
    findings: [],
    inconsistent: false,
    validator_error: null,
    ledger: LEDGER,
    packet_digest: "p",
    candidate: FILE,
    message: null,
    ...more,
  };
}

const answerValidated: AnswerValidated = {
  type: "answer-validated",
  step: 1,
  mode: "enforce",
  by: "model",
  verdict: "passed",
  issues: [],
  required_next_actions: [],
  findings: [],
  validator_error: null,
  candidate: FILE,
  message: null,
};
const rejected = (more: Partial<ProcessValidated> = {}) =>
  processValidated({ verdict: "rejected", issues: ["a gap"], message: "mend it", ...more });
const cleared = { type: "candidate-cleared", by: "process", candidate: FILE } as const;
const submit = (id: string): TrialEventBody[] => [respond({ calls: [id] }), candidate(id)];

describe("reduce, for checks,", () => {
  it("lets a rejection by code after a pass count and clear, and leaves latch and ledger", () => {
    const state = stateAfter(
      started(),
      ...submit("a"),
      processValidated(),
      respond({ calls: ["q"] }),
      toolReturned("q"),
      ...submit("b"),
      rejected({ by: "code" }),
      cleared,
    );
    expect(state.validation.process).toMatchObject({ passed: true, rejections: 1, ledger: LEDGER, candidate: null });
    expect(state.candidate).toBeNull();
  });

  it("keeps a validator's reply out of steps, turn, trajectory and conversation", () => {
    const before = stateAfter(started(), ...submit("a"));
    const after = stateAfter(started(), ...submit("a"), validatorReply("process-validator", { valid: true }));
    for (const key of ["history", "step", "turn", "trajectory", "candidate", "repairs"] as const) {
      expect(after[key]).toEqual(before[key]);
    }
    expect(after.totals.requests).toEqual({ ok: 2 });
    expect(Object.keys(after.totals.usage)).toEqual(["agent m", "process-validator m"]);
  });

  it("ends a trial whose replay diverged in a validator's call", () => {
    const failure = { class: "replay-diverged", message: "another request", status: null } as const;
    const diverged = {
      type: "model-failed",
      purpose: "answer-validator",
      request_digest: "d",
      failure,
      final: true,
      ms: 1,
    } as const;
    expect(stateAfter(started(), ...submit("a"), diverged).failure).toEqual(failure);
  });

  it("writes one line a check for the trial's record", () => {
    const { ended } = stateAfter(started(), ...submit("a"), processValidated(), answerValidated).validation;
    expect(ended).toMatchObject([
      {
        seq: 3,
        validator: "process",
        trigger: "candidate",
        verdict: "passed",
        candidate: { file: FILE, signature: "s" },
      },
      { seq: 4, validator: "answer", verdict: "passed", by: "model" },
    ]);
  });

  it.each<[string, TrialEventBody[]]>([
    ["a verdict on a candidate that is not there", [started(), ...steps(1), processValidated()]],
    ["a second verdict on the same candidate", [started(), ...submit("a"), processValidated(), processValidated()]],
    [
      "a periodic verdict beside a candidate",
      [started(), ...submit("a"), processValidated({ trigger: "periodic", candidate: null })],
    ],
    ["a periodic verdict on a candidate", [started(), ...submit("a"), processValidated({ trigger: "periodic" })]],
    ["a verdict while calls are open", [started(), respond({ calls: ["a", "b"] }), candidate("a"), processValidated()]],
    [
      "a validator's reply while calls are open",
      [started(), respond({ calls: ["a"] }), validatorReply("process-validator", {})],
    ],
    ["the clearing of a candidate that was not rejected", [started(), ...submit("a"), processValidated(), cleared]],
    [
      "the clearing of a candidate that was only observed",
      [started(), ...submit("a"), rejected({ mode: "observe", message: null }), cleared],
    ],
    ["the clearing by another validator", [started(), ...submit("a"), rejected(), { ...cleared, by: "answer" }]],
    ["a second verdict of form", [started(), ...submit("a"), answerValidated, answerValidated]],
  ])("refuses %s", (_, bodies) => {
    expect(() => stateAfter(...bodies)).toThrow(IllegalTransition);
  });
});
