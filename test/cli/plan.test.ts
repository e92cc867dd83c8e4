import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import { cli } from "../support/cli.js";
import { COUNT_RED, cliStage, probe, submit } from "../support/cli-run.js";
import { type ModelRequestSeen, type Reply, textReply } from "../support/model-server.js";
import { until } from "../support/processes.js";

const PROFILE = `agent: {strategy: plan, max_steps: 96}
repeats: 1
concurrency: 1
tools: {python: {sandbox: "off"}}`;

const GOALS = ["See which colours the fruit have", "Count those that are red"].map((goal) => ({
  goal,
  accept: "a number",
}));

/** A model that plays each role by its prompt alone. */
function play({ body }: ModelRequestSeen): Reply {
  const prompt = body.messages[0]?.content ?? "";
  if (prompt.startsWith("You plan")) return textReply(JSON.stringify({ sub_goals: GOALS }));
  if (prompt.startsWith("You judge")) return textReply('{"problem": "none", "score": 0.9, "reason": "it is there"}');
  if (prompt.startsWith("You hand in")) return submit();
  const seen = body.messages.findLast(({ role }) => role === "tool")?.content;
  const id = /^\[(E\d+)\]/.exec(seen ?? "")?.[1];
  return id === undefined ? probe(COUNT_RED) : textReply(`The count of red fruit is 2 [${id}].`);
}

/** Requests of one whole trial: planner, twice two executor turns and a verdict, the whole, the submission. */
const TRIAL_REQUESTS = 9;

describe("daw-eval run with the plan strategy", { timeout: 180_000 }, () => {
  it("survives kill -9 in the middle of a round: the log is that of an undisturbed trial but for times", async () => {
    let holding = true;
    const stage = await cliStage({
      script: (request) => {
        // The second trial's second executor, after its tool call.
        if (holding && request.index === TRIAL_REQUESTS + 5) return new Promise<Reply>(() => {});
        return play(request);
      },
      tasks: 2,
      profile: PROFILE,
    });
    const { child, done } = stage.start();
    await until(() => stage.server.requests.length === TRIAL_REQUESTS + 6, 120_000);
    child.kill("SIGKILL");
    await done;
    holding = false;
    const resumed = await stage.on("resume");
    expect(resumed.code, resumed.stderr).toBe(0);
    const killed = await stage.events("task_2", 1);
    expect(killed.map(({ type }) => type)).toContain("trial-resumed");
    expect(essence(killed)).toEqual(essence(await stage.events("task_1", 1)));
    // The call in flight was made again, and nothing that was paid for.
    expect(stage.server.requests).toHaveLength(2 * TRIAL_REQUESTS + 1);
  });

  it("pauses for a person, ends with 3 and the command, and goes on in another process with the plan that they give", async () => {
    const stage = await cliStage({ script: play, profile: PROFILE });
    const paused = await stage.run("--pause", "after-plan");
    expect(paused.code).toBe(3);
    expect(paused.stderr).toContain(
      'task_1#1 waits for a person (after-plan): daw-eval resume runs/r --trial task_1#1 --approve, or --reject "why"',
    );
    writeFileSync(
      path.join(stage.folder, "plan.yaml"),
      "sub_goals:\n  - {goal: Weigh what is red, accept: a number}\n  - {goal: Count what is red, accept: a number}\n",
    );
    const resumed = await stage.on("resume", "--trial", "task_1#1", "--edit-plan", "plan.yaml");
    expect(resumed.code, resumed.stderr).toBe(0);
    const decided = (await stage.events("task_1", 1)).find(({ type }) => type === "person-decided");
    expect(decided).toMatchObject({
      pause: "after-plan",
      decision: { kind: "edit-plan", plan: [{ id: "s3", goal: "Weigh what is red" }, { id: "s4" }] },
    });
    const shown = await stage.on("show", "task_1#1", "--brief");
    expect(shown.stdout).toMatch(/round 2 \| verifier \| score 0\.90 \| goal \| passed \| it is there/);
  });
});

/** Events but for who and when. */
function essence(events: readonly TrialEvent[]): unknown[] {
  return events
    .filter(({ type }) => type !== "trial-started" && type !== "trial-resumed")
    .map(({ seq: _seq, at: _at, waited_ms: _waited, ...body }) => ({
      ...body,
      ms: 0,
      prediction: null,
      request_digest: null,
      ...("content" in body && body.content !== null ? { content: body.content.replace(/"ms":[\d.]+/g, "") } : {}),
    }));
}

describe("the demo with the packaged profile plan", { timeout: 180_000 }, () => {
  it("runs without a key, reports where verification stopped, and is compared with react by diff", async () => {
    const stage = await cliStage({ script: [] });
    const suite = fileURLToPath(new URL("../../tasks/demo", import.meta.url));
    const run = (profile: string) =>
      cli(
        [
          "run",
          suite,
          ...["-p", profile, "-n", "1", "--only", "task_01_snow_days", "--run-id", profile, "--quiet"],
          ...["--cache-dir", "cache", "--set", "tools.python.sandbox=off"],
        ],
        { cwd: stage.folder },
      );
    const plan = await run("plan");
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stdout).toMatch(/solid 1 /);
    expect(plan.stdout).toMatch(/verification: 3 of 3 verdicts passed/);
    expect(plan.stdout).toMatch(/earlier work in \d+ executor requests: .* saved/);
    expect(plan.stdout).toMatch(/empty tool results +0 +0\.0 %/);
    expect((await run("builtin")).code).toBe(0);
    const diff = await cli(["diff", "builtin", "plan"], { cwd: path.join(stage.folder, "runs") });
    expect(diff.code, diff.stderr).toBe(0);
    expect(diff.stdout).toContain("agent.strategy react → plan");
    expect(diff.stdout).toMatch(/verdicts passed +– +3 of 3/);
  });
});
