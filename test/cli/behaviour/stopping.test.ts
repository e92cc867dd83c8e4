import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startCli } from "../../support/cli.js";
import { cliStage, submit } from "../../support/cli-run.js";
import { errorReply, type ModelScript, textReply, toolCallReply } from "../../support/model-server.js";

const GIVES_UP = "agent: {repair_limit: 0}";

/** A script whose first request of a trial is never answered, and the moment at which `count` of them are there. */
function stuck(count: number): { readonly script: ModelScript; readonly reached: Promise<void> } {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const script: ModelScript = async (request) => {
    if (request.index === count - 1) reach();
    return { ...textReply("late"), header_delay_ms: 600_000 };
  };
  return { script, reached };
}

describe("row 9: a run that is told to stop", () => {
  it("by SIGTERM suspends as by one Ctrl-C: exit 130, and how to go on", async () => {
    const { script, reached } = stuck(2);
    const stage = await cliStage({ script, profile: "repeats: 3\nconcurrency: 2" });
    const { child, done } = stage.start();
    await reached;
    child.kill("SIGTERM");
    const { code, stderr } = await done;
    expect(code).toBe(130);
    expect(stderr).toMatch(/2 trials suspended, 1 not run; go on with: daw-eval resume runs\/r/);
    expect((await stage.records()).at(-1)).toMatchObject({ record: "run-end", status: "interrupted" });
  });

  it("by Ctrl-C twice is out at once, and its log parses", async () => {
    const { script, reached } = stuck(2);
    const stage = await cliStage({ script, profile: "repeats: 2\nconcurrency: 2" });
    const { child, done } = stage.start();
    await reached;
    child.kill("SIGINT");
    child.kill("SIGINT");
    const { code, signal } = await done;
    expect({ code, signal }).toEqual({ code: 130, signal: null });
    expect((await stage.records())[0]).toMatchObject({ record: "run-start" });
    for (const k of [1, 2]) expect((await stage.events("task_1", k))[0]).toMatchObject({ type: "trial-started" });
  });

  it("while a trial is tried again counts it once", async () => {
    const stage = await cliStage({
      script: ({ index }) => (index === 0 ? errorReply(401, "no") : { ...textReply("late"), header_delay_ms: 600_000 }),
      profile: "repeats: 1",
    });
    await stage.run();
    const { child, done } = startCli(["resume", "runs/r", "--retry-failed", "--cache-dir", "cache"], {
      cwd: stage.folder,
      env: stage.env,
    });
    while (stage.server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect((await done).code).toBe(130);
    expect((await stage.records()).at(-1)).toMatchObject({
      counts: { planned: 1, valid: 0, infra_error: 0, suspended: 1, not_run: 0 },
    });
  });
});

describe("row 11: the end of the last trial", () => {
  it("is the end of the process, whatever sockets and data children are open", async () => {
    // The server keeps its connections open for as long as the client does, and a warm data child waits for queries.
    const stage = await cliStage({ script: () => submit(), profile: "repeats: 2" });
    const { code } = await stage.run();
    const ended = Date.parse((await stage.records()).at(-1)?.at ?? "");
    expect(code).toBe(0);
    // A second on a quiet machine, report included; this one may be busy. Keep-alive alone would be minutes.
    expect(Date.now() - ended).toBeLessThan(5000);
  });
});

describe("row 22: a prediction.csv of an earlier try", () => {
  it("is never taken for an answer", async () => {
    const stage = await cliStage({ script: () => textReply("I do not know."), profile: `${GIVES_UP}\nrepeats: 1` });
    // As it stands there after a kill, or when somebody copies folders about.
    const attempt = path.join(stage.runFolder, "trials", "main", "task_1", "1", "1");
    const { script, reached } = stuck(1);
    const other = await cliStage({ script, profile: "repeats: 1" });
    const { child, done } = other.start();
    await reached;
    child.kill("SIGKILL");
    await done;
    const stale = path.join(other.runFolder, "trials", "main", "task_1", "1", "1");
    expect(existsSync(stale)).toBe(true);
    writeFileSync(path.join(stale, "prediction.csv"), "n\n2\n");
    await other.server.close();
    expect((await other.on("resume")).code).toBe(3);
    expect((await other.records()).filter(({ record }) => record === "score")).toEqual([]);

    expect((await stage.run()).code).toBe(0);
    mkdirSync(attempt, { recursive: true });
    writeFileSync(path.join(attempt, "prediction.csv"), "n\n2\n");
    const { code, stdout } = await stage.on("score", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).arms[0]).toMatchObject({ mean: 0, missing: 1 });
  });
});

describe("row 23: a deadline of the whole run", () => {
  const slow: ModelScript = () => ({ ...toolCallReply([{ name: "list_context", args: {} }]), header_delay_ms: 150 });

  it("is shared over the trials that remain", async () => {
    const stage = await cliStage({
      script: slow,
      profile: "agent: {max_steps: 1000}\nrepeats: 8\nconcurrency: 2\nlimits: {seconds: 600, run_seconds: 4}",
    });
    await stage.run();
    const ends = (await stage.records()).filter((record) => record.record === "trial-end");
    // Nobody takes all of it: the first two leave time for others.
    expect(ends.length).toBeGreaterThan(3);
    for (const end of ends) expect(end.outcome).toEqual({ kind: "limit-reached", limit: "seconds" });
    expect(Math.max(...ends.map(({ wall_ms }) => wall_ms))).toBeLessThan(3000);
  });

  it("leaves what did not start by then not run, and the counts add up", async () => {
    const stage = await cliStage({
      script: slow,
      profile: "repeats: 2000\nconcurrency: 2\nlimits: {run_seconds: 0.5}",
    });
    const { code, stderr } = await stage.run("--quiet");
    expect(code).toBe(3);
    expect(stderr).toMatch(/0 trials suspended, \d+ not run; go on with: daw-eval resume/);
    const end = (await stage.records()).at(-1);
    if (end?.record !== "run-end") throw new Error("the run has no run-end");
    const { planned, valid, infra_error, suspended, not_run } = end.counts;
    expect({ status: end.status, planned, infra_error, suspended }).toEqual({
      status: "completed",
      planned: 2000,
      infra_error: 0,
      suspended: 0,
    });
    expect(valid).toBeGreaterThan(0);
    expect(not_run).toBe(planned - valid);
    expect(not_run).toBeGreaterThan(0);
  });
});
