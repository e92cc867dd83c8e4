import { describe, expect, it } from "vitest";
import { trialCounts } from "../../src/run/trial-counts.js";
import { ANSWERED, NO_CONNECTION } from "../support/run-records.js";

describe("the counts of a run", () => {
  it("add up to the plan, whatever becomes of its trials", () => {
    const trials = trialCounts(6, [{ outcome: ANSWERED }]);
    trials.ended(1, ANSWERED);
    trials.ended(1, NO_CONNECTION);
    trials.suspended(1);
    expect(trials.counts()).toEqual({ planned: 6, valid: 2, infra_error: 1, suspended: 1, not_run: 2 });
  });

  it("have a trial once that is tried again after an infra-error", () => {
    const trials = trialCounts(
      3,
      [NO_CONNECTION, NO_CONNECTION, NO_CONNECTION].map((outcome) => ({ outcome })),
    );
    trials.ended(2, ANSWERED);
    trials.ended(2, NO_CONNECTION);
    trials.suspended(2);
    expect(trials.counts()).toEqual({ planned: 3, valid: 1, infra_error: 1, suspended: 1, not_run: 0 });
  });
});
