import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { type CliStage, cliStage, probe, submit, turnOf } from "../support/cli-run.js";
import { errorReply, type ModelScript, type Reply, textReply, toolCallReply } from "../support/model-server.js";
import { recordsOf, trialEventsOf } from "../support/run-files.js";

/** A turn of each kind: a retry, parallel calls one of which fails, words without a call, broken arguments, and a submission. */
const eventful: ModelScript = (request) => {
  if (request.index === 0) return errorReply(503, "busy");
  const turns: readonly Reply[] = [
    toolCallReply([
      { name: "execute_probe_query", args: { queries: ["SELECT nothing FROM fruit"] }, id: "bad" },
      { name: "list_context", args: {}, id: "list" },
    ]),
    textReply("I think it is two."),
    toolCallReply([{ name: "execute_probe_query", args: "{broken", id: "broken" }]),
    probe(),
    submit(),
  ];
  const repairs = request.body.messages.filter(({ role }) => role === "user").length - 1;
  return turns[Math.min(turnOf(request) + (repairs > 1 ? 1 : 0), 4)] ?? submit();
};

const attempt = (stage: CliStage, task: string, k: number) =>
  path.join(stage.runFolder, "trials", "main", task, String(k), "1", "events.jsonl");

/** Changes the events of a trial as another version of the code would have written them. */
function rewrite(file: string, change: (line: string) => string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, lines.map(change).join("\n"));
}

const scoresIn = async (folder: string) =>
  (await recordsOf(folder))
    .flatMap((record) => (record.record === "score" ? [record] : []))
    .map(({ task_id, k, scorer, status, value, details }) => ({ task_id, k, scorer, status, value, details }))
    .sort((a, b) => `${a.task_id}${a.k}${a.scorer}`.localeCompare(`${b.task_id}${b.k}${b.scorer}`));

describe("daw-eval replay", () => {
  let stage: CliStage;
  beforeAll(async () => {
    stage = await cliStage({
      script: eventful,
      tasks: 2,
      profile: "repeats: 2\nprocess_validation: {mode: observe, mechanical: observe}",
      lasting: true,
    });
    expect((await stage.run()).code).toBe(0);
    await stage.server.close();
    // Nothing but the log: no server, no key, no data, no compiled context.
    rmSync(path.join(stage.folder, "cache"), { recursive: true });
    for (const task of ["task_1", "task_2"]) {
      writeFileSync(path.join(stage.folder, "suite", task, "context", "csv", "fruit.csv"), "");
    }
  });

  const replay = (...more: readonly string[]) =>
    cli(["replay", "runs/r", "--out", "runs", "--cache-dir", "cache", ...more], { cwd: stage.folder });

  it("gives today's code what a run was answered: same events, same scores, in a run of its own", async () => {
    const { code, stdout, stderr } = await replay("--run-id", "again");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe("4 trials of r replayed into runs/again: 4 the same, 0 not\n");
    const folder = path.join(stage.folder, "runs", "again");
    expect(await scoresIn(folder)).toEqual(await scoresIn(stage.runFolder));
    const kinds = (await trialEventsOf(folder, "task_1", 1)).map(({ type }) => type);
    expect(kinds).toEqual((await stage.events("task_1", 1)).map(({ type }) => type));
    expect(kinds).toContain("repair-requested");
    const usage = async (run: string) =>
      JSON.parse((await cli(["report", run, "--json"], { cwd: stage.folder })).stdout);
    expect((await usage("again")).replay_of).toBe("r");
    expect((await usage("again")).arms[0].usage.input_tokens).toBe((await usage("r")).arms[0].usage.input_tokens);
    expect((await cli(["resume", "runs/again"], { cwd: stage.folder })).stderr).toMatch(/replay of r is not continued/);
  });

  it("takes one trial, and says where there is none to take", async () => {
    expect((await replay("task_2#2", "--run-id", "one", "--json")).stdout).toMatch(
      /"trial": "task_2#2@main",\s+"kind": "same"/,
    );
    const missing = await replay("task_2#9", "--run-id", "none");
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("task_2#9: no trial of") });
    expect((await replay("--run-id", "one")).stderr).toMatch(/exists: a run id is used once/);
  });

  it("stops a trial whose requests would be others: which event, which message, and how it differs", async () => {
    const file = attempt(stage, "task_1", 1);
    const before = readFileSync(file, "utf8");
    let repaired = false;
    rewrite(file, (line) => {
      if (line.includes('"repair-requested"')) {
        repaired = true;
        return line.replace("Your reply called no tool", "Your answer called no tool");
      }
      return repaired ? line.replace(/"request_digest":"./, '"request_digest":"x') : line;
    });
    const { code, stdout } = await replay("task_1#1", "--run-id", "diverged");
    writeFileSync(file, before);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /task_1#1 diverged: event \d+: message \d+ \(user\) was "Your answer called no tool, .*", now is "Your reply called no tool, /,
    );
    const end = (await trialEventsOf(path.join(stage.folder, "runs", "diverged"), "task_1", 1)).at(-1);
    expect(end).toMatchObject({ type: "trial-finished", outcome: { kind: "infra-error", class: "replay-diverged" } });
  });

  it("says that the opening differs, with the versions of the prompts", async () => {
    const file = attempt(stage, "task_1", 2);
    const before = readFileSync(file, "utf8");
    rewrite(file, (line) =>
      line.replace(/"prompts":"[^"]*"/, '"prompts":"agent 0"').replace(/"request_digest":"./, '"request_digest":"x'),
    );
    const { stdout } = await replay("task_1#2", "--run-id", "opening");
    writeFileSync(file, before);
    expect(stdout).toMatch(
      /task_1#2 diverged: event 1: its opening messages or settings differ: the prompts were versions "agent 0", now they are "agent \d/,
    );
  });

  it("finds that today's code does something else with the same answers, and a lost or changed table", async () => {
    const file = attempt(stage, "task_2", 1);
    const before = readFileSync(file, "utf8");
    rewrite(file, (line) => line.replace('"forced":false', '"forced":true'));
    const differs = await replay("task_2#1", "--run-id", "differs");
    expect(differs).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/differs: event \d+: trial-finished: outcome/),
    });
    writeFileSync(file, before);
    const [name] = /candidate-[0-9a-f]{12}\.csv/.exec(before) ?? [];
    const table = path.join(path.dirname(file), name ?? "");
    writeFileSync(table, "n\n3\n");
    const changed = await replay("task_2#1", "--run-id", "changed");
    writeFileSync(table, "n\n2\n");
    expect(changed.stdout).toMatch(/a submitted table cannot be had: .*changed since it was written/);
  });
});

describe("a replay of a trial that", () => {
  it("was cut off by its time is cut off there again, though no time passes", async () => {
    const stage = await cliStage({
      script: async (request) => {
        if (turnOf(request) > 0) await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
        return toolCallReply([{ name: "list_context", args: {}, id: "a" }]);
      },
      profile: "repeats: 1\nlimits: {seconds: 1.5}",
    });
    await stage.run();
    expect((await stage.events("task_1", 1)).at(-2)).toMatchObject({ type: "limit-reached", limit: "seconds" });
    const { code, stdout } = await stage.on("replay", "--run-id", "again");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("1 the same, 0 not") });
  });

  it("ended in an infra-error ends in it again", async () => {
    const stage = await cliStage({
      script: [errorReply(500, "down"), errorReply(401, "bad key")],
      profile: "repeats: 1",
    });
    expect((await stage.run()).code).toBe(3);
    const { code, stdout } = await stage.on("replay", "--run-id", "again");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("1 the same, 0 not") });
    expect(
      (await recordsOf(path.join(stage.folder, "runs", "again"))).find((one) => one.record === "trial-end"),
    ).toMatchObject({ outcome: { kind: "infra-error", class: "auth" }, requests: { server: 1, auth: 1 } });
  });
});
