import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { cli } from "../../support/cli.js";
import { type CliStage, cliStage, GOLD, submit } from "../../support/cli-run.js";
import { folderWith } from "../../support/folder.js";
import { runEnd, runStart, trialEnd } from "../../support/records.js";
import { writeTask } from "../../support/suite.js";

/** Rewrites a file of lines. */
function edit(file: string, how: (lines: readonly string[]) => readonly string[]): void {
  writeFileSync(file, how(readFileSync(file, "utf8").split("\n").slice(0, -1)).join("\n"));
}

const eventsFile = ({ runFolder }: CliStage, k: number) =>
  path.join(runFolder, "trials", "main", "task_1", String(k), "1", "events.jsonl");
const half = (line: string) => line.slice(0, line.length / 2);

describe("a stored run", () => {
  it("that was torn goes on where it was torn; of an older schema it says the same; with an event taken out it is refused by file and line", async () => {
    const stage = await cliStage({ script: () => submit(), profile: "repeats: 2\nconcurrency: 1" });
    const before = await stage.run("--json");
    expect(before.code).toBe(0);
    const requests = stage.server.requests.length;
    const log = path.join(stage.runFolder, "run.jsonl");

    // Half of the second trial's end, and half of its last event.
    edit(log, (lines) => {
      const second = lines.findLastIndex((line) => line.includes('"record":"trial-end"'));
      return [...lines.slice(0, second), half(lines[second] ?? "")];
    });
    edit(eventsFile(stage, 2), (lines) => [...lines.slice(0, -1), half(lines.at(-1) ?? "")]);
    const resumed = await stage.on("resume", "--json");
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toMatch(/run\.jsonl:\d+: the last line is torn/);
    expect(stage.server.requests).toHaveLength(requests);
    const passes = (json: string) => JSON.parse(json).arms[0].tasks;
    expect(passes(resumed.stdout)).toMatchObject([{ task_id: "task_1", passes: 2, valid: 2 }]);

    // As version 1 wrote it.
    edit(log, (lines) => [...lines.map(asVersion1), ""]);
    const old = await stage.on("report", "--json");
    const same = resumed.stdout.replace("tools.python.sandbox is off in the profile", "the log does not say");
    expect(old).toMatchObject({ code: 0, stdout: same, stderr: "" });
    expect(await stage.on("resume", "--json")).toMatchObject({ code: 0, stdout: same });

    edit(eventsFile(stage, 1), (lines) => [...lines.slice(0, 1), ...lines.slice(2), ""]);
    for (const args of [
      ["show", "r", "task_1#1"],
      ["replay", "r"],
    ]) {
      const { code, stderr } = await cli(args, { cwd: stage.folder });
      expect(code).toBe(2);
      expect(stderr).toMatch(/^daw-eval: \S+events\.jsonl:2: event 2 where event 1 was due\n$/);
    }
  });

  it.each([
    ["text of somebody else", "hello\nworld\n", /run\.jsonl:1: not a line of JSON/],
    ["JSON of somebody else", '{"task":"x"}\n', /run\.jsonl:1: not a record of a run log/],
    ["no start", `${JSON.stringify(trialEnd())}\n`, /run\.jsonl:1: the first record is a trial-end/],
    ["nothing", "", /run\.jsonl: no run log here/],
    [
      "a newer schema, whatever is in it",
      '{"record":"run-start","schema_version":99,"what":"new"}\n',
      /run\.jsonl:1: written by a newer daw-eval \(schema 99, .*update daw-eval/,
    ],
  ])("whose log has %s is refused in one line, by file and line", async (_what, text, message) => {
    const cwd = folderWith({ "runs/r/run.jsonl": text });
    const [report, resume] = await Promise.all([cli(["report", "r"], { cwd }), cli(["resume", "r"], { cwd })]);
    for (const { code, stdout, stderr } of [report, resume]) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(message)]);
    }
  });

  it("is taken by its id, and `report runs/*` passes over what is no run", async () => {
    const log = `${[runStart(), trialEnd(), runEnd()].map((record) => JSON.stringify(record)).join("\n")}\n`;
    const cwd = folderWith({ "runs/a/run.jsonl": log, "runs/b/run.jsonl": log, "runs/baselines/main.jsonl": log });
    const several = await cli(["report", "runs/a", "runs/b", "runs/baselines", "--json"], { cwd });
    expect(several.code).toBe(0);
    expect(several.stderr).toBe(
      "daw-eval: warning: runs/baselines: not a run (there is no run.jsonl in it), left out\n",
    );
    expect(JSON.parse(several.stdout).runs).toHaveLength(2);
    expect(await cli(["report", "runs/baselines"], { cwd })).toMatchObject({ code: 2, stdout: "" });
  });
});

/** Without what only version 2 has. */
function asVersion1(line: string): string {
  const { arm_profiles: _1, shard: _2, selection: _3, sandbox: _4, arm_sandboxes: _5, ...record } = JSON.parse(line);
  const { replay_of: _6, added: _7, integrity: _8, ...old } = record;
  return JSON.stringify(old.record === "run-start" ? { ...old, schema_version: 1 } : old);
}

describe("row 17: a run of 10,000 trials", () => {
  it("is scored again and reported in a heap that could not hold its log", async () => {
    const [tasks, repeats, heap_mb] = [20, 500, 64];
    const cwd = folderWith();
    const suite = path.join(cwd, "suite");
    const ids = Array.from({ length: tasks }, (_, index) => `task_${index + 1}`);
    for (const task_id of ids) await writeTask(suite, { task_id, gold: GOLD });
    const small = { cwd, env: { NODE_OPTIONS: `--max-old-space-size=${heap_mb}` } };
    const planned = ids.map((task_id) => ({
      ...{ task_id, difficulty: "easy" as const, tags: [] },
      ...{ input_digest: "i", gold_digest: "g" },
    }));
    const log = path.join(cwd, "runs", "r", "run.jsonl");
    mkdirSync(path.dirname(log), { recursive: true });
    const usage = [
      {
        ...{ purpose: "agent", model: "m".repeat(7000), calls: 1, ms: 1 },
        ...{ input_tokens: 1, output_tokens: 1, reasoning_tokens: null, cached_tokens: null },
      },
    ];
    const failed = { kind: "no-answer", reason: "max-steps" } as const;
    let bytes = 0;
    await pipeline(function* () {
      yield `${JSON.stringify(runStart({ tasks: planned, repeats }))}\n`;
      for (const task_id of ids) {
        for (let k = 1; k <= repeats; k++) {
          const end = { ...trialEnd({ task_id, k, outcome: failed, prediction: null, signature: null }), usage };
          const line = `${JSON.stringify(end)}\n`;
          bytes += line.length;
          yield line;
        }
      }
      yield `${JSON.stringify(runEnd())}\n`;
    }, createWriteStream(log));
    expect(bytes).toBeGreaterThan(heap_mb * 2 ** 20);

    const scored = await cli(["score", "r", "--tasks", suite, "--cache-dir", "cache", "--json"], small);
    expect({ code: scored.code, stderr: scored.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(scored.stdout).arms[0]).toMatchObject({ missing: tasks * repeats, mean: 0 });
    const report = await cli(["report", "r", "--json"], small);
    expect(report.code).toBe(0);
    expect(JSON.parse(report.stdout).arms[0]).toMatchObject({ planned_trials: tasks * repeats, broken: tasks });
  });
});
