import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type ChatModel,
  defineTool,
  resumeSuite,
  runSuite,
  type Scorer,
  scored,
  scoreRun,
  UsageError,
} from "../src/library.js";
import { startCli } from "./support/cli.js";

const out = mkdtempSync(path.join(tmpdir(), "daw-eval-library-"));
const env = { XDG_CACHE_HOME: path.join(out, "cache") };
process.env.XDG_CACHE_HOME = env.XDG_CACHE_HOME;
afterAll(() => rmSync(out, { recursive: true, force: true }));

const double = defineTool({
  name: "double",
  description: "Doubles a number.",
  args: z.object({ value: z.number() }),
  rest: "Nothing is left out.",
  execute: async ({ value }) => ({ ok: true, content: { doubled: value * 2 }, truncated: false }),
});

const always: Scorer = { name: "always", version: "1", options: [], score: async () => scored(1, {}) };

/** Calls the added tool, badly and well, then hands in what the tool said. */
const model: ChatModel = {
  async respond(request) {
    const results = request.messages.filter(({ role }) => role === "tool");
    const last = String(results.at(-1)?.content ?? "");
    const doubled = /"doubled":(\d+)/.exec(last)?.[1];
    const call =
      doubled !== undefined
        ? {
            name: "submit_tool_result",
            arguments: JSON.stringify({
              tool_name: "execute_probe_query",
              tool_args: { queries: [`SELECT ${doubled} AS answer`] },
            }),
          }
        : { name: "double", arguments: results.length === 0 ? '{"value":"many"}' : '{"value":21}' };
    const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: null, reasoning_tokens: null };
    const response = {
      model: "scripted",
      content: null,
      reasoning: null,
      finish_reason: "tool_calls",
      usage,
      cost_usd: 0,
    };
    return {
      ok: true,
      response: { ...response, tool_calls: [{ id: `call_${results.length}`, ...call }] },
      request_ms: 1,
    };
  },
};

const options = {
  tasks: "tasks/demo",
  only: ["task_01_snow_days"],
  set: ["model.provider=custom", "model.name=scripted", "repeats=1"],
  out,
  env,
};

describe("the library", () => {
  it("runs a program's own tool, scorer and model, and the command line reads what it wrote", async () => {
    const { folder, end, summary } = await runSuite({
      ...options,
      run_id: "own",
      tools: [double],
      scorers: [always],
      model,
    });
    expect(end).toMatchObject({ status: "completed", counts: { valid: 1 } });
    expect(summary.arms[0]?.scorers.map(({ scorer, mean_score }) => [scorer, mean_score])).toContainEqual([
      "always",
      1,
    ]);

    const shown = await startCli(["show", folder, "task_01_snow_days#1", "--json"]).done;
    const events = JSON.parse(shown.stdout).events;
    const results = events.filter((event: { tool?: string }) => event.tool === "double");
    expect(results.map((event: { ok: boolean; error: string | null }) => [event.ok, event.error])).toEqual([
      [false, "bad-arguments"],
      [true, null],
    ]);

    const resumed = await startCli(["resume", folder]).done;
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toContain("model.provider custom: the model comes from a program");
    const again = await resumeSuite({ folder, env, tools: [double], scorers: [always], model });
    expect(again.end.status).toBe("completed");
    await expect(resumeSuite({ folder, env, scorers: [always], model })).rejects.toThrow(
      "the run has the tool double of a program: resume it from that program",
    );
    await expect(
      resumeSuite({ folder, env, scorers: [{ ...always, version: "2" }], tools: [double], model }),
    ).rejects.toThrow("scorer always is version 2 now, was 1");
  });

  it("scores a stored run with a new version of a scorer, once", async () => {
    const folder = path.join(out, "own");
    const newer = { ...always, version: "2", score: async () => scored(0, {}) };
    expect((await scoreRun({ folder, scorers: [newer], env })).appended).toBe(1);
    const { appended, summary } = await scoreRun({ folder, scorers: [newer], env });
    expect(appended).toBe(0);
    expect(summary.arms[0]?.scorers.find(({ scorer }) => scorer === "always")?.mean_score).toBe(0);
  });

  it("refuses names that are taken, and a custom model that is not there, before anything is created", async () => {
    const probe = defineTool({
      ...{ description: "", rest: "" },
      name: "read_doc",
      args: z.object({}),
      execute: async () => ({ ok: true, content: {}, truncated: false }),
    });
    await expect(runSuite({ ...options, tools: [probe], model })).rejects.toThrow("there is a tool read_doc already");
    await expect(runSuite({ ...options, scorers: [{ ...always, name: "cell-f1" }], model })).rejects.toThrow(
      "there is a scorer cell-f1 already",
    );
    await expect(runSuite(options)).rejects.toThrow(UsageError);
  });
});
