import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/core/run-record.js";
import { cli } from "../../support/cli.js";
import { type CliStage, cliStage, KEY, submit } from "../../support/cli-run.js";
import { textReply } from "../../support/model-server.js";
import { allTextBelow, trialEventsOf } from "../../support/run-files.js";

const PRICED = "cache_responses: true, price: {input: 1, output: 1}";
const GIVES_UP = "agent: {repair_limit: 0}\nrepeats: 2\nconcurrency: 2";

const ends = (records: readonly RunRecord[]) => records.filter((record) => record.record === "trial-end");

/** A second run of the same suite and profile. */
const again = (stage: CliStage, ...more: readonly string[]) =>
  cli([...stage.args.map((arg) => (arg === "r" ? "r2" : arg)), ...more], { cwd: stage.folder, env: stage.env });

describe("row 12: a response cache", () => {
  it("has a key for each repeat, marks what it answers, counts no cost again, and says that these are no repeats", async () => {
    const stage = await cliStage({
      script: (request) => textReply(`answer ${request.index}`),
      model: PRICED,
      profile: GIVES_UP,
    });
    const first = await stage.run();
    expect(first.code).toBe(0);
    expect(stage.server.requests).toHaveLength(2);
    expect(first.stdout).toContain("cost $0.00024");
    expect(first.stdout).not.toContain("CACHE");

    const second = await again(stage);
    expect(stage.server.requests).toHaveLength(2);
    expect(second.stdout).toMatch(
      /no tokens used · no cost[\s\S]*FROM THE RESPONSE CACHE: 2 of 2 responses, in 2 trials · .*no independent repeats/,
    );
    const summary = JSON.parse((await cli(["report", "runs/r2", "--json"], { cwd: stage.folder })).stdout).arms[0];
    expect(summary).toMatchObject({ requests: { cached: 2 }, trials_with_cached_responses: 2, cost_usd: null });

    const folder = stage.runFolder.replace(/r$/, "r2");
    const said = async (k: number, from: string) =>
      (await trialEventsOf(from, "task_1", k)).flatMap((event) => (event.type === "model-responded" ? [event] : []));
    for (const k of [1, 2]) {
      const [before] = await said(k, stage.runFolder);
      const [after] = await said(k, folder);
      expect(before?.cached).toBeUndefined();
      expect(after).toMatchObject({ cached: true, response: before?.response ?? {} });
    }
    expect((await cli(["show", "runs/r2", "task_1#1"], { cwd: stage.folder })).stdout).toContain("(cached)");
  });

  it("is off unless the profile says so, is not asked by another model, seed or extra_body, and keeps no failures and no key", async () => {
    const stage = await cliStage({
      script: (request) => (request.index === 0 ? { status: 400, body: "no" } : textReply("I do not know.")),
      model: "cache_responses: true, retries: {max: 0}",
      profile: "agent: {repair_limit: 0}\nrepeats: 1",
    });
    expect((await stage.run()).code).toBe(3);
    expect(ends(await stage.records())).toMatchObject([{ requests: { "bad-request": 1 } }]);
    await again(stage);
    expect(stage.server.requests).toHaveLength(2);
    for (const [index, other] of [
      "seed=5",
      "model.name=other",
      "model.extra_body.top_p=0.5",
      "model.cache_responses=false",
    ].entries()) {
      const args = stage.args.map((arg) => (arg === "r" ? `other-${index}` : arg));
      await cli([...args, "--set", other], { cwd: stage.folder, env: stage.env });
      expect(stage.server.requests).toHaveLength(3 + index);
    }
    expect(readdirSync(path.join(stage.folder, "cache", "responses"))).not.toEqual([]);
    expect(await allTextBelow(stage.folder)).not.toContain(KEY);
  });

  it("gives a validator that is asked once more its second answer, not its first again", async () => {
    const stage = await cliStage({
      script: (request) => {
        if ((request.body.tools ?? []).length > 0) return submit();
        const valid = '{"valid": true, "issues": [], "required_next_actions": []}';
        return textReply(request.index === 1 ? "not JSON" : valid);
      },
      model: "cache_responses: true",
      profile: "repeats: 1\nanswer_validation: {mode: enforce, on_error: retry}",
    });
    expect((await stage.run()).code).toBe(0);
    expect(stage.server.requests).toHaveLength(3);
    await again(stage);
    expect(stage.server.requests).toHaveLength(3);
    const verdicts = async (folder: string) =>
      (await trialEventsOf(folder, "task_1", 1)).flatMap((event) =>
        event.type === "answer-validated" ? [event.verdict] : [],
      );
    expect(await verdicts(stage.runFolder.replace(/r$/, "r2"))).toEqual(["passed"]);
  });
});
