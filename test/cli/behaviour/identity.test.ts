import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { formatIdentity } from "../../../src/core/identity.js";
import { type CliStage, cliStage, GOLD, submit } from "../../support/cli-run.js";
import { type ModelScript, textReply } from "../../support/model-server.js";
import { writeTask } from "../../support/suite.js";

/** Trials that ended, in the order of their ends. */
async function ended(stage: CliStage): Promise<string[]> {
  return (await stage.records()).flatMap((record) => (record.record === "trial-end" ? [formatIdentity(record)] : []));
}

const addTask = (stage: CliStage, task_id: string) =>
  writeTask(path.join(stage.folder, "suite"), { task_id, gold: GOLD });

describe("row 15: a run whose suite changed", () => {
  it("runs only what is new where tasks joined, whatever their order; a renamed one is refused, or with --force gone on without", async () => {
    const stage = await cliStage({ script: () => submit(), tasks: 2, profile: "repeats: 2" });
    await stage.run();
    const before = await ended(stage);
    const requests = stage.server.requests.length;

    // In the suite's order it comes before all others, so that every position moves.
    await addTask(stage, "task_0");
    const resumed = await stage.on("resume");
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain("since the run was planned, and run too: task_0\n");
    expect((await ended(stage)).slice(before.length).sort()).toEqual(["task_0#1@main", "task_0#2@main"]);
    expect(stage.server.requests.length - requests).toBe(2);
    expect(resumed.stdout).toContain("pass rate 100.0 % ± 0.0 (SE by task, 3 tasks × 2)");
    expect((await stage.records()).at(-1)).toMatchObject({ counts: { planned: 6, valid: 6, not_run: 0 } });

    const log = stage.logText();
    expect(await stage.on("resume")).toMatchObject({ code: 0, stdout: resumed.stdout });
    expect(stage.logText()).toBe(log);

    rmSync(path.join(stage.folder, "suite", "task_2"), { recursive: true });
    await addTask(stage, "task_9");
    const refused = await stage.on("resume");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/task task_2 is gone from .*suite/);
    expect(stage.logText()).toBe(log);

    const forced = await stage.on("resume", "--force");
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain("forced: task task_2 is gone from");
    expect((await ended(stage)).slice(-2).sort()).toEqual(["task_9#1@main", "task_9#2@main"]);
  });

  it("leaves trials of a task that is gone not run, and takes none that its selection would not have", async () => {
    let endless = true;
    const script: ModelScript = ({ body }) =>
      endless && body.messages.some(({ content }) => content?.includes("zebra"))
        ? { ...textReply("late"), header_delay_ms: 600_000 }
        : submit();
    const stage = await cliStage({ script, tasks: 1, profile: "repeats: 1\nconcurrency: 1" });
    const suite = path.join(stage.folder, "suite");
    await writeTask(suite, { task_id: "task_2", question: "Is there a zebra?", gold: GOLD });
    const { child, done } = stage.start("--only", "task_1,task_2");
    while (stage.server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGKILL");
    await done;
    endless = false;
    renameSync(path.join(suite, "task_2"), path.join(stage.folder, "away"));
    await addTask(stage, "task_3");

    const forced = await stage.on("resume", "--force");
    expect(forced.code).toBe(3);
    expect(forced.stderr).toContain("0 trials suspended, 1 not run");
    expect(await ended(stage)).toEqual(["task_1#1@main"]);
    renameSync(path.join(stage.folder, "away"), path.join(suite, "task_2"));
    expect((await stage.on("resume")).code).toBe(0);
    expect(await ended(stage)).toEqual(["task_1#1@main", "task_2#1@main"]);
  });
});

describe("row 8: a resume", () => {
  it("refuses scores of another version of their scorer, and says which", async () => {
    const stage = await cliStage({ script: () => submit(), profile: "repeats: 1" });
    await stage.run();
    const log = path.join(stage.runFolder, "run.jsonl");
    const other = stage
      .logText()
      .replaceAll(/"scorer":"kdd-columns","scorer_version":"[^"]+"/g, (found) => found.replace(/[^"]+"$/, 'older"'));
    writeFileSync(log, other);
    const { code, stderr } = await stage.on("resume");
    expect(code).toBe(2);
    expect(stderr).toMatch(/scorer kdd-columns is version \S+ now, was older\n/);
    expect(readFileSync(log, "utf8")).toBe(other);
  });
});

describe("row 27: two processes", () => {
  it("that take up one run: the second says who holds it, exit 2, and the run goes on", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const script: ModelScript = async ({ index }) => {
      if (index === 1) await released;
      return submit();
    };
    const stage = await cliStage({ script, profile: "repeats: 2\nconcurrency: 1" });
    const first = stage.start();
    while (stage.server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const before = stage.logText();
    const [resume, score] = await Promise.all([stage.on("resume"), stage.on("score")]);
    for (const second of [resume, score]) {
      expect(second).toMatchObject({ code: 2, stdout: "" });
      expect(second.stderr).toMatch(
        new RegExp(`^daw-eval: process ${first.child.pid} on \\S+ holds \\S+ since 2\\S+: wait for it or stop it\\n$`),
      );
    }
    expect(stage.logText()).toBe(before);
    release();
    expect((await first.done).code).toBe(0);
    expect(await ended(stage)).toHaveLength(2);
  });
});
