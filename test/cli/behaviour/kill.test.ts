import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatIdentity } from "../../../src/core/identity.js";
import { mulberry32 } from "../../../src/stats/random.js";
import { cli, startCli } from "../../support/cli.js";
import { type CliStage, cliStage, submit, turnOf } from "../../support/cli-run.js";
import { type ModelRequestSeen, type ModelScript, textReply, toolCallReply } from "../../support/model-server.js";
import { allTextBelow } from "../../support/run-files.js";

const TASKS = 4;
const REPEATS = 16;
const KILLS = 30;
/** Requests of a trial. */
const TURNS = 3;

/** Two looks, then an answer in the even trials and in the odd ones none. */
const script: ModelScript = async (request) => {
  await sleep(15);
  if (turnOf(request) < TURNS - 1) return toolCallReply([{ name: "list_context", args: {} }]);
  return Number(request.body.seed) % 2 === 0 ? submit() : textReply("no");
};

/** A request by its trial and turn; trials differ by their seeds. */
const keyOf = (request: ModelRequestSeen): string => `${request.body.seed}:${turnOf(request)}`;

interface OnDisk {
  /** Whole lines of run.jsonl. */
  readonly log: string;
  /** Requests whose responses are in a trial's events. */
  readonly answered: ReadonlySet<string>;
}

/** Reads what a kill left; every line that ends is JSON. */
function onDisk({ runFolder }: CliStage): OnDisk {
  const answered = new Set<string>();
  const trials = path.join(runFolder, "trials");
  const names = existsSync(trials) ? readdirSync(trials, { recursive: true, encoding: "utf8" }) : [];
  for (const name of names.filter((file) => file.endsWith("events.jsonl"))) {
    const events = wholeLines(path.join(trials, name)).map((line) => JSON.parse(line));
    const seed = events[0]?.seed;
    for (const [turn] of events.filter(({ type }) => type === "model-responded").entries()) {
      answered.add(`${seed}:${turn}`);
    }
  }
  const lines = wholeLines(path.join(runFolder, "run.jsonl"));
  for (const line of lines) JSON.parse(line);
  return { log: lines.map((line) => `${line}\n`).join(""), answered };
}

const wholeLines = (file: string): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);

/** Without what two equal runs differ in: their names and times. */
function timeless(json: string): unknown {
  return JSON.parse(json, (key, value) => (/^(run_id|started_at|ms)$|seconds|_ms$/.test(key) ? undefined : value));
}

/** How often each thing stands in the log: an end of a trial, a score by what it depends on. */
async function counted({ records }: CliStage): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const record of await records()) {
    if (record.record !== "trial-end" && record.record !== "score") continue;
    const about = record.record === "score" ? ` ${record.scorer} ${record.basis}` : "";
    const key = `${record.record} ${formatIdentity(record)}${about}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const random = mulberry32(fc.readConfigureGlobal()?.seed ?? 1);
const below = (limit: number) => Math.floor(random() * limit);

async function killed({ child, done }: ReturnType<typeof startCli>): Promise<void> {
  child.kill("SIGKILL");
  await done;
}

describe("row 6: kill -9", () => {
  it(`at ${KILLS} random moments with eight trials in flight loses nothing, repeats nothing that was answered, and ends in the same report`, async () => {
    const profile = `agent: {repair_limit: 0}\nrepeats: ${REPEATS}\nconcurrency: 8`;
    const stage = await cliStage({ script, tasks: TASKS, profile });
    const here = { cwd: stage.folder, env: stage.env };
    const whole = await cli([...stage.args.map((arg) => (arg === "r" ? "whole" : arg)), "--quiet"], here);
    expect(whole.code).toBe(0);
    const { requests } = stage.server;
    const alone = requests.length;
    expect(alone).toBe(TASKS * REPEATS * TURNS);

    let left: OnDisk = { log: "", answered: new Set() };
    for (let kill = 0; kill < KILLS; kill++) {
      const before = requests.length;
      const started =
        kill === 0 ? stage.start("--quiet") : startCli(["resume", "r", "--cache-dir", "cache", "--quiet"], here);
      let over = false;
      void started.done.then(() => {
        over = true;
      });
      // Mostly in the middle of the work, a few requests after the start; sometimes at any time, also before there is work.
      const [moment, atOnce] = [1 + below(12), kill > 0 && below(5) === 0];
      if (atOnce) await sleep(below(800));
      else while (!over && requests.length < before + moment) await sleep(2);
      await sleep(below(20));
      await killed(started);
      const now = onDisk(stage);
      expect(now.log.startsWith(left.log)).toBe(true);
      expect(
        requests
          .slice(before)
          .map(keyOf)
          .filter((key) => left.answered.has(key)),
      ).toEqual([]);
      for (const key of left.answered) expect(now.answered).toContain(key);
      left = now;
    }
    const last = requests.length;
    expect(await stage.on("resume", "--quiet")).toMatchObject({ code: 0 });
    expect(
      requests
        .slice(last)
        .map(keyOf)
        .filter((key) => left.answered.has(key)),
    ).toEqual([]);
    // At most those in flight at a kill are asked again.
    expect(requests.length - alone).toBeLessThanOrEqual(alone + KILLS * 8);

    const report = async (run: string) => timeless((await cli(["report", run, "--json"], here)).stdout);
    expect(await report("r")).toEqual(await report("whole"));
    expect([...(await counted(stage)).values()].filter((count) => count !== 1)).toEqual([]);

    // Scoring again by another gold, and reading, killed as they come.
    for (let task = 1; task <= TASKS; task++) {
      writeFileSync(path.join(stage.folder, "suite", `task_${task}`, "gold.csv"), "n\n3\n");
    }
    for (let kill = 0; kill < 3; kill++) {
      const started = startCli(["score", "r", "--cache-dir", "cache"], here);
      const { log } = left;
      while (started.child.exitCode === null && stage.logText().length <= log.length) await sleep(1);
      await sleep(below(kill * 20 + 1));
      await killed(started);
      left = onDisk(stage);
      expect(left.log.startsWith(log)).toBe(true);
    }
    const text = await allTextBelow(stage.runFolder);
    for (let kill = 0; kill < 2; kill++) {
      const started = startCli(["report", "r", "--json"], here);
      await sleep(below(500));
      await killed(started);
      expect(await allTextBelow(stage.runFolder)).toBe(text);
    }
    for (const run of ["r", "whole"]) {
      expect((await cli(["score", run, "--cache-dir", "cache"], here)).code).toBe(0);
    }
    expect(await report("r")).toEqual(await report("whole"));
    expect([...(await counted(stage)).values()].filter((count) => count !== 1)).toEqual([]);
  }, 240_000);
});
