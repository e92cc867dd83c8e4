import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadSuite } from "../../../src/config/load-suite.js";
import type { TrialEnd } from "../../../src/core/run-record.js";
import { NO_ADDITIONS } from "../../../src/run/additions.js";
import { importRuns } from "../../../src/run/kit/import-runs.js";
import { folderWith } from "../../support/folder.js";
import { type KitTaskRun, writeKitRun } from "../../support/kit-run.js";
import { recordsOf, trialEventsOf } from "../../support/run-files.js";
import { writeTask } from "../../support/suite.js";

const RIGHT: KitTaskRun["answer"] = { columns: ["n"], rows: [[2]] };

async function imported(root: string, folders: readonly string[], tasks: readonly string[]) {
  for (const task_id of tasks) await writeTask(path.join(root, "suite"), { task_id, gold: "n\n2\n" });
  const suite = tasks.length === 0 ? null : await loadSuite(path.join(root, "suite"));
  const runFolder = path.join(root, "runs", "r");
  const clock = { iso: () => "2026-05-01T00:00:00.000Z", milliseconds: () => 0 };
  const found = await importRuns(
    { folders, suite, model: null, run_id: "r", runFolder, argv: [] },
    {
      env: {},
      clock,
      cacheDir: path.join(root, "cache"),
      cancel: new AbortController().signal,
      onProgress: () => {},
      additions: NO_ADDITIONS,
    },
  );
  const records = await recordsOf(runFolder);
  const ends = new Map(
    records.flatMap((one) => (one.record === "trial-end" ? [[`${one.task_id}#${one.k}`, one] as const] : [])),
  );
  const scores = new Map(
    records.flatMap((one) =>
      one.record === "score" && one.scorer === "kdd-columns" ? [[`${one.task_id}#${one.k}`, one.status] as const] : [],
    ),
  );
  return { ...found, records, ends, scores };
}

const outcome = (end: TrialEnd | undefined) => {
  if (end === undefined) return "not run";
  const { kind, ...rest } = end.outcome;
  return [kind, ...Object.values(rest).filter((one) => typeof one === "string")].join(": ");
};

describe("a run's files as the tools of this world leave them", () => {
  test("each odd file has one clear outcome and a note", async () => {
    const root = folderWith();
    const ids = [
      "answered",
      "gbk",
      "bom",
      "torn",
      "no_trace",
      "stale",
      "gone",
      "ragged",
      "not_utf8",
      "foreign",
      "steps",
      "down",
      "crash",
      "running",
      "nan",
    ];
    const failing: Readonly<Record<string, string>> = {
      stale: "Task timed out after 600 seconds.",
      steps: "Agent did not submit an answer within max_steps.",
      down: "Task failed with uncaught error: Error code: 503 - overloaded",
      crash: "Task failed with uncaught error: division by zero",
    };
    const tasks = ids.map((id): KitTaskRun => {
      const failure_reason = failing[id];
      return failure_reason === undefined
        ? { task_id: id, answer: RIGHT }
        : { task_id: id, answer: null, failure_reason };
    });
    const folder = writeKitRun(root, "kit", "react", tasks);
    const write = (file: string, content: string | Uint8Array) => writeFileSync(path.join(folder, file), content);
    const chinese = Buffer.from([
      0x7b, 0x22, 0x74, 0x61, 0x73, 0x6b, 0x5f, 0x69, 0x64, 0x22, 0x3a, 0x6e, 0x75, 0x6c, 0x6c, 0x2c, 0x22, 0x73, 0x74,
      0x65, 0x70, 0x73, 0x22, 0x3a, 0x5b, 0x7b, 0x22, 0x61, 0x63, 0x74, 0x69, 0x6f, 0x6e, 0x22, 0x3a, 0x22, 0xb2, 0xe9,
      0xd1, 0xaf, 0x22, 0x7d, 0x5d, 0x7d,
    ]);
    write("gbk/trace.json", chinese);
    write("bom/prediction.csv", "\uFEFFn\r\n2\r\n");
    write("torn/trace.json", '{"task_id": "torn", "steps": [{"act');
    rmSync(path.join(folder, "no_trace/trace.json"));
    write("stale/prediction.csv", "n\n2\n");
    rmSync(path.join(folder, "gone/prediction.csv"));
    write("ragged/prediction.csv", "a,b\n1\n");
    write("not_utf8/prediction.csv", Buffer.from([0x6e, 0x0a, 0xff, 0xfe, 0x0a]));
    write("foreign/trace.json", '{"task_id": "another", "steps": [{"action": "a"}], "succeeded": true}');
    write(
      "running/trace.json",
      '{"task_id": "running", "answer": null, "steps": [], "succeeded": false, "status": "running"}',
    );
    rmSync(path.join(folder, "running/prediction.csv"));
    write(
      "nan/trace.json",
      '{"task_id": "nan", "steps": [{"action": "sql", "observation": {"ok": true, "content": [NaN, "NaN", -Infinity]}}]}',
    );
    mkdirSync(path.join(folder, "logs"));

    const { ends, scores, notes, end, records } = await imported(root, [folder], ids);
    expect(Object.fromEntries(ids.map((id) => [id, outcome(ends.get(`${id}#1`))]))).toEqual({
      answered: "answered",
      gbk: "answered",
      bom: "answered",
      torn: "answered",
      no_trace: "answered",
      stale: "limit-reached: seconds",
      gone: "no-answer: empty",
      ragged: "agent-error: invalid-prediction: prediction.csv: line 2 has 1 cell, the header has 2 columns",
      not_utf8: "agent-error: invalid-prediction: prediction.csv: not valid UTF-8",
      foreign: "answered",
      steps: "no-answer: max-steps",
      down: "infra-error: server: Task failed with uncaught error: Error code: 503 - overloaded",
      crash: "agent-error: crashed: Task failed with uncaught error: division by zero",
      running: "not run",
      nan: "answered",
    });
    expect(end.counts).toEqual({ planned: 15, valid: 13, infra_error: 1, suspended: 0, not_run: 1 });
    expect(["answered", "gbk", "bom", "torn", "no_trace", "foreign"].map((id) => scores.get(`${id}#1`))).toEqual(
      Array(6).fill("perfect"),
    );
    expect(["stale", "gone", "ragged", "crash"].map((id) => scores.get(`${id}#1`))).toEqual(Array(4).fill("missing"));
    expect(scores.has("down#1")).toBe(false);
    expect(notes).toEqual([
      'foreign: trace.json is of "another": not taken',
      "gbk: trace.json is gb18030, not UTF-8",
      "gone: said to have succeeded, but there is no prediction.csv",
      "no_trace: there is no trace.json: its steps are not known",
      "running: has not ended: counted as not run",
      "stale: prediction.csv is not of this run, which brought no answer: not taken",
      "torn: trace.json is torn or no JSON: its steps are not known",
    ]);
    expect(ends.get("gbk#1")?.tools).toEqual({ 查询: 1 });
    expect(ends.get("answered#1")).toMatchObject({
      steps: 3,
      wall_ms: 12_345,
      usage: [],
      cost_usd: null,
      path: "unknown",
    });
    expect(records[0]).toMatchObject({ imported: { notes } });
  });

  test("without a summary the task folders alone are read; what nobody knows of is no input to compare", async () => {
    const root = folderWith();
    const folder = writeKitRun(root, "kit", "graph", [{ task_id: "task_1", answer: RIGHT }]);
    writeFileSync(path.join(folder, "summary.json"), '{"run_id": "kit", "tas');
    const { records, scores, notes } = await imported(root, [folder], []);
    expect(notes).toEqual(["summary.json is torn or no JSON: the task folders alone are read"]);
    expect(records[0]).toMatchObject({ tasks: [{ task_id: "task_1", input_digest: null, gold_digest: null }] });
    expect(scores.get("task_1#1")).toBe("unscored");
  });

  test("several runs are repeats; a task that one of them lacks is not run there", async () => {
    const root = folderWith();
    const both = ["task_1", "task_2"].map((task_id) => ({ task_id, answer: RIGHT }));
    const runs = [
      writeKitRun(root, "20260401T120000Z", "react", both),
      writeKitRun(root, "b", "graph", both.slice(0, 1)),
    ];
    const { end, ends } = await imported(root, runs, ["task_1", "task_2"]);
    expect([...ends.keys()].sort()).toEqual(["task_1#1", "task_1#2", "task_2#1"]);
    expect(end.counts).toMatchObject({ planned: 4, valid: 3, not_run: 1 });
    expect(ends.get("task_1#1")?.signature).toBe(ends.get("task_1#2")?.signature);
    // A run's name says when it began, a trace how long a trial took; where nobody says, it is the time of the import.
    const timesOf = async (k: number) =>
      (await trialEventsOf(path.join(root, "runs", "r"), "task_1", k)).map(({ at }) => at);
    const named = await timesOf(1);
    expect([named.at(0), named.at(-1)]).toEqual(["2026-04-01T12:00:00.000Z", "2026-04-01T12:00:12.345Z"]);
    expect((await timesOf(2)).at(0)).toBe("2026-05-01T00:00:00.000Z");
  });

  test("a folder that is no run, a folder of runs, and the same run twice are refused in one line", async () => {
    const root = folderWith({ "empty/readme.txt": "" });
    const folder = writeKitRun(path.join(root, "runs_of_kit"), "a", "react", [{ task_id: "task_1", answer: RIGHT }]);
    const refused = (folders: string[]) =>
      imported(root, folders, []).then(
        () => null,
        (error: Error) => error.message,
      );
    expect(await refused([path.join(root, "empty")])).toMatch(
      /empty: no run of the starter kit: neither summary\.json nor task folders are in it$/,
    );
    expect(await refused([path.join(root, "runs_of_kit")])).toMatch(
      /holds runs and is none: name those that are repeats of each other, e\.g\. daw-eval import \S+a$/,
    );
    expect(await refused([folder, folder])).toMatch(/holds the same files as .*: a run is no repeat of itself$/);
  });
});
