import { describe, expect, it } from "vitest";
import { FAULTS } from "../models/fault-matrix.js";
import { folderWith } from "../support/folder.js";
import { scriptedRun } from "../support/scripted-run.js";
import { writeTask } from "../support/suite.js";

const RETRIES = { max: 2, min_wait_ms: 1, max_wait_ms: 2000 };

describe("a trial whose endpoint fails for good", () => {
  it.each(FAULTS)("with $what ends by its class, with an event for each of $requests requests", async (fault) => {
    const suite = folderWith();
    await writeTask(suite, { task_id: "task_1", gold: "n\n1\n" });
    const model = { retries: RETRIES, ...fault.config };
    const { events, seen } = await scriptedRun({ suite, task: "task_1", scripts: { agent: () => fault.reply }, model });
    const failed = Array.from({ length: fault.requests }, (_, index) => ({
      type: "model-failed",
      purpose: "agent",
      failure: { class: fault.class },
      final: index === fault.requests - 1,
    }));
    // A context that is too long is the agent's doing, everything else the endpoint's.
    const tooLong = fault.class === "context-window";
    const outcome = tooLong
      ? { kind: "limit-reached", limit: "context-window" }
      : { kind: "infra-error", class: fault.class };
    const noted = tooLong ? [{ type: "limit-reached", limit: "context-window" }] : [];
    const ended = { type: "trial-finished", outcome, prediction: null };
    expect(events).toMatchObject([{ type: "trial-started" }, ...failed, ...noted, ended]);
    expect(seen.agent).toHaveLength(fault.requests);
  });
});
