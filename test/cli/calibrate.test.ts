import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readExamples } from "../../src/validate/calibration/read-examples.js";
import { serve } from "../models/ask.js";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { errorReply } from "../support/model-server.js";
import { type Manner, scriptedJudge } from "../validate/calibration/scripted-judges.js";

const STARTER = "configs/calibration/goal.jsonl";
const EXAMPLES = readExamples(readFileSync(STARTER, "utf8"), STARTER, "goal");
const GATES = ["--min-pass", ".9", "--min-intercept", "1.0"];

async function profileFor(base_url: string): Promise<string> {
  const folder = folderWith({
    "judge.yaml": `model: { provider: openai, name: judge, base_url: "${base_url}", retries: { max: 0 }, price: { input: 1, output: 10 } }\n`,
  });
  return path.join(folder, "judge.yaml");
}

async function calibrateWith(manner: Manner, ...more: readonly string[]) {
  const server = await serve(scriptedJudge(EXAMPLES, manner));
  const run = await cli(["calibrate", STARTER, "-p", await profileFor(server.base_url), ...GATES, ...more]);
  return { ...run, requests: server.requests };
}

describe("daw-eval calibrate", () => {
  it("lets a strict judge through both gates", async () => {
    const { code, stdout, stderr, requests } = await calibrateWith("strict", "--json", "-n", "2");
    expect(code, stderr).toBe(0);
    const calibration = JSON.parse(stdout);
    expect(calibration).toMatchObject({
      validator: "goal",
      profile: "judge",
      verifier_version: expect.stringMatching(/^[0-9a-f]{12}$/),
      examples: { good: 10, bad: 10 },
      pass: { n: 10, rate: 1 },
      interception: { n: 10, rate: 1 },
      passed_at: 0.8,
      best: 0.8,
      held_out: { examples: { good: 3, bad: 3 }, interception: { rate: 1 } },
      consistency: { n: 15, agreement: 1, mixed: 0 },
      missed: [],
      spent: { calls: 38, cached: 0, failed_requests: 0, input_tokens: 3800, output_tokens: 760, unpriced_calls: 0 },
      gates: [
        { name: "pass", failed: false },
        { name: "interception", failed: false },
      ],
    });
    expect(calibration.spent.cost_usd).toBeCloseTo((3800 + 10 * 760) / 1e6, 12);
    expect(calibration.by_failure_mode.map((one: { failure_mode: string }) => one.failure_mode)).toEqual([
      "fabricated-citation",
      "format",
      "hollow",
      "off-target",
    ]);
    // Five tuning and two held-out bad examples fall to code: nobody is asked about them.
    expect(requests).toHaveLength(2 * (26 - 7));
    expect(new Set(requests.map(({ body }) => body.seed)).size).toBe(2);
  });

  it("fails the gate of a lax judge with 1, and prints what it let through", async () => {
    const { code, stdout } = await calibrateWith("lax");
    expect(code).toBe(1);
    expect(stdout).toMatch(/bad examples intercepted +10 +50\.0 % +23\.7 % … 76\.3 %/);
    expect(stdout).toMatch(/ hollow +2 +0\.0 %/);
    expect(stdout).toMatch(/ format +2 +100\.0 %/);
    expect(stdout).toMatch(/^0\.9–1\.0 +10 +5 +#{10}-{5}$/m);
    expect(stdout).toMatch(/^ +0\.80 +100\.0 % +50\.0 % +in force/m);
    expect(stdout).toMatch(/^held out, at 0\.8: 100\.0 % of 3 good passed, 66\.7 % of 3 bad intercepted$/m);
    expect(stdout).toMatch(/^configs\/calibration\/goal\.jsonl:\d+ +bad +hollow +yes +1\/1 +0\.90/m);
    expect(stdout).toMatch(/^the judge took 19 calls, 1,900 tokens in, 380 out, [\d.]+ s, cost \$0\.0057$/m);
    expect(stdout).toMatch(/gate failed: 50\.0 % of bad examples intercepted, at least 100\.0 % asked/);
  });

  it("refuses examples that cannot be read with 2, all their lines at once", async () => {
    const file = path.join(folderWith({ "x.jsonl": '{"task":"t"}\nnonsense\n' }), "x.jsonl");
    const { code, stdout, stderr } = await cli(["calibrate", file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trim().split("\n")).toEqual([
      `daw-eval: ${file}:1: label must be "good" or "bad"`,
      `daw-eval: ${file}:1: output must be the output as text`,
      `daw-eval: ${file}:2: not JSON: one object a line is needed`,
    ]);
  });

  it("ends with 3 where the judge could not be heard, whatever the gates say", async () => {
    const server = await serve(() => errorReply(500, "down"));
    const { code, stdout } = await cli([
      "calibrate",
      STARTER,
      "-p",
      await profileFor(server.base_url),
      ...GATES.slice(2),
    ]);
    expect(code).toBe(3);
    expect(stdout).toContain("not heard, in no rate: 10 good, 5 bad");
    expect(stdout).toContain("the judge took 0 calls, 19 requests failed");
  });

  it("makes examples from a scored run that observed, measures the run's own verdicts, and judges them anew", async () => {
    const out = folderWith({});
    const cache = ["--cache-dir", path.join(out, "cache")];
    const tasks = ["--only", "task_01_snow_days,task_13_hot_days", "-n", "1"];
    const place = ["--out", out, "--run-id", "run", "--quiet", ...cache];
    expect((await cli(["run", "tasks/demo", "-p", "observe", ...tasks, ...place])).code).toBe(0);
    const file = path.join(out, "made.jsonl");
    const from = ["--validator", "process", "--from-run", path.join(out, "run"), "--json"];
    const recorded = await cli(["calibrate", file, ...from]);
    expect(recorded.code, recorded.stderr).toBe(0);
    // The run did not act on it: the wrong answer stood, and the auditor had refused it.
    expect(JSON.parse(recorded.stdout)).toMatchObject({
      profile: null,
      spent: null,
      examples: { good: 1, bad: 1 },
      pass: { n: 1, rate: 1 },
      interception: { n: 1, rate: 1 },
    });
    const anew = await cli(["calibrate", file, "--validator", "process", "-p", "builtin", "--json"]);
    expect(JSON.parse(anew.stdout)).toMatchObject({ profile: "builtin", pass: { rate: 1 }, interception: { rate: 1 } });
    const again = await cli(["calibrate", file, ...from]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be written") });
  });
});
