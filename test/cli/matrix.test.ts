import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../support/run-files.js";
import { type AskedTrial, scriptedSuite } from "../support/scripted-suite.js";

const MATRIX = "matrix: {model.temperature: [0, 1]}\n";
const COLD = "temperature=0";
const HOT = "temperature=1";

/** Cold is always right, hot only at its first try. */
const byTemperature = ({ body, k }: AskedTrial) => (body.temperature === 0 || k === 1 ? "right" : "wrong");

describe("a run with a matrix", () => {
  it("runs its arms side by side with equal seeds, and keeps each arm's profile and files apart", async () => {
    const asked: string[] = [];
    const suite = await scriptedSuite(["task_1", "task_2"], (trial) => {
      asked.push(`${trial.task_id}#${trial.k}@temperature=${trial.body.temperature}`);
      return byTemperature(trial);
    });
    const { code, stderr } = await suite.run("r", ["-n", "2", "--concurrency", "1"], MATRIX);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("    at ") });
    // Repeat by repeat, taking turns at being first.
    expect(asked).toEqual([
      `task_1#1@${COLD}`,
      `task_1#1@${HOT}`,
      `task_1#2@${HOT}`,
      `task_1#2@${COLD}`,
      `task_2#1@${HOT}`,
      `task_2#1@${COLD}`,
      `task_2#2@${COLD}`,
      `task_2#2@${HOT}`,
    ]);
    const folder = path.join(suite.folder, "runs", "r");
    expect(readdirSync(path.join(folder, "trials")).sort()).toEqual([COLD, HOT]);
    const [start] = await recordsOf(folder);
    expect(start).toMatchObject({
      arms: [COLD, HOT],
      profile: { model: { temperature: 0 } },
      arm_profiles: { [COLD]: { model: { temperature: 0 } }, [HOT]: { model: { temperature: 1 } } },
    });
    const report = JSON.parse((await suite.cli("report", "r", "--json")).stdout);
    expect(report.arms.map(({ arm, mean }: { arm: string; mean: number }) => [arm, mean])).toEqual([
      [COLD, 1],
      [HOT, 0.5],
    ]);
    const show = await suite.cli("show", "r", `task_2#2@${HOT}`);
    expect({ code: show.code, stderr: show.stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("runs the arms that --arm names, and nothing of the others", async () => {
    const suite = await scriptedSuite(["task_1"], byTemperature);
    const plan = await suite.run("r", ["--arm", HOT, "--dry-run"], MATRIX);
    expect(plan.stdout).toContain("1 task × 3 = 3 trials");
    expect((await suite.run("r", ["--arm", "*=1"], MATRIX)).code).toBe(0);
    expect(suite.server.requests.map(({ body }) => body.temperature)).toEqual([1, 1, 1]);
    const wrong = await suite.run("other", ["--arm", "hot"], MATRIX);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toBe(`daw-eval: --arm hot: the profile has no such arm; the arms are ${COLD} · ${HOT}\n`);
  });

  it("says the size of all arms before it starts", async () => {
    const suite = await scriptedSuite(["task_1"], byTemperature);
    const { stdout } = await suite.run("r", ["--dry-run"], MATRIX);
    expect(stdout).toContain("1 task × 3 × 2 arms = 6 trials");
    expect(stdout).toContain(`arm ${HOT}: model openai/scripted`);
  });

  it("resumes each arm with its own profile, and refuses when one of them changed", async () => {
    const suite = await scriptedSuite(["task_1"], (trial) =>
      trial.body.temperature === 1 && suite.server.requests.length <= 2 ? "infra" : "right",
    );
    expect((await suite.run("r", ["-n", "1", "--concurrency", "1"], MATRIX)).code).toBe(3);
    const resumed = await suite.cli("resume", "runs/r", "--retry-failed", "--cache-dir", "cache");
    expect(resumed.code).toBe(0);
    expect(suite.server.requests.map(({ body }) => body.temperature)).toEqual([0, 1, 1]);

    await suite.run("unused", ["--dry-run"], "matrix: {model.temperature: [0, 0.5]}\nrepeats: 1\n");
    const changed = await suite.cli("resume", "runs/r", "-p", "./unused.yaml");
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain(`the profile has no arm ${HOT}: its arms are ${COLD}, temperature=0.5`);
  });
});
