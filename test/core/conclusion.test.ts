import { describe, expect, it } from "vitest";
import { conclusionOf } from "../../src/core/conclusion.js";
import { respond, started, toolReturned } from "../support/events.js";
import { stateAfter } from "../support/trial.js";

/** A trial whose model queried, said something, and submitted while it said `words`. */
const submitting = (words: string | null) =>
  stateAfter(
    started(),
    respond({ calls: ["a"], content: "let me look" }),
    toolReturned("a"),
    respond({ calls: ["b"], tool: "submit_tool_result", content: words }),
  );

describe("the conclusion of a submission", () => {
  it("is what the submission says", () => {
    expect(conclusionOf("Seven.", "b", submitting("I submit."))).toBe("Seven.");
  });

  it("is else what the model said in the turn that submitted", () => {
    expect(conclusionOf(null, "b", submitting(" The answer is seven. "))).toBe("The answer is seven.");
    expect(conclusionOf("  ", "b", submitting("Seven."))).toBe("Seven.");
  });

  it("is none where nothing was said, whatever was said before", () => {
    expect(conclusionOf(null, "b", submitting(null))).toBeNull();
    expect(conclusionOf(null, "b", submitting(" "))).toBeNull();
  });
});
