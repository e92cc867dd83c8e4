import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { RunRecord } from "../../src/core/run-record.js";
import { summariseRun } from "../../src/report/summary.js";
import { recordsOf } from "../support/run-files.js";
import { scriptedSuite } from "../support/scripted-suite.js";

const TASKS = ["task_1", "task_2", "task_3", "task_4"];

/** What may differ between a run at once and one in parts: times, names of runs, and what was typed. */
const TIMES = new Set([
  "at",
  "ms",
  "wall_ms",
  "model_ms",
  "tool_ms",
  "started_at",
  "median_seconds",
  "seconds",
  "run_id",
  "argv",
]);

const withoutTimes = (value: object): object =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (TIMES.has(key) ? undefined : inner)));

async function summaryOf(runFolder: string): Promise<object> {
  return withoutTimes(await summariseRun(await recordsOf(runFolder), { metric: "pass_rate", min_pass: null }));
}

/** Records in an order that does not depend on which trial was faster. */
const comparable = (records: readonly RunRecord[]): unknown[] =>
  records.map(withoutTimes).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

it("joins three shards into what one run would have been, but for times; a shard that was killed is a gap that resume closes", async () => {
  const suite = await scriptedSuite(TASKS, ({ task_id, k }) =>
    task_id === "task_4" || (task_id === "task_2" && k === 1) ? "wrong" : "right",
  );
  const folder = (id: string) => path.join(suite.folder, "runs", id);
  expect((await suite.run("whole", ["-n", "2"])).code).toBe(0);
  for (const index of [1, 2, 3]) {
    expect((await suite.run(`part${index}`, ["-n", "2", "--shard", `${index}/3`])).code).toBe(0);
  }

  const merged = await suite.cli("merge", "part3", "part1", "part2", "--run-id", "joined", "--json");
  expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 0, stderr: "3 runs → runs/joined\n" });
  const whole = await summaryOf(folder("whole"));
  expect(withoutTimes(JSON.parse(merged.stdout))).toEqual({ ...whole, profile: "part1" });
  const [ours, theirs] = await Promise.all(["joined", "whole"].map((id) => recordsOf(folder(id))));
  const profiled = (records: readonly RunRecord[] = []) =>
    records.map((record) =>
      record.record === "run-start" ? { ...record, profile: { ...record.profile, name: "" } } : record,
    );
  expect(comparable(profiled(ours))).toEqual(comparable(profiled(theirs)));
  for (const record of ours ?? []) {
    if (record.record !== "trial-end" || record.prediction === null) continue;
    const [here, there] = ["joined", "whole"].map((id) =>
      readFile(path.join(folder(id), record.prediction ?? ""), "utf8"),
    );
    expect(await here).toBe(await there);
  }

  const refused = await suite.cli("merge", "whole", "part1", "--run-id", "refused");
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
  expect(refused.stderr).toBe("daw-eval: whole: not a part of a plan but the whole of one (it ran without --shard)\n");
  await expect(recordsOf(folder("refused"))).rejects.toThrow("no run log here");

  // Shard 2 is killed after its first trial-end: neither a score of it nor the second trial is in the log.
  const log = path.join(folder("part2"), "run.jsonl");
  const lines = (await readFile(log, "utf8")).split("\n");
  const cut = lines.findIndex((line) => line.includes('"trial-end"')) + 1;
  await writeFile(log, `${lines.slice(0, cut).join("\n")}\n{"record":"sc`);
  const second = lines.slice(cut).find((line) => line.includes('"trial-end"')) ?? "";
  await rm(path.join(folder("part2"), path.dirname(JSON.parse(second).prediction)), { recursive: true });

  const partial = await suite.cli("merge", "part1", "part2", "--run-id", "partial");
  expect(partial.code).toBe(3);
  expect(partial.stderr).toContain(":3: the last line is torn");
  expect(partial.stderr).toContain("daw-eval: shard 3/3 is missing: 1 tasks, 2 trials\n");
  expect(partial.stderr).toContain("daw-eval: shard 2/3 (part2) was interrupted: 1 of 2 trials have no end\n");
  expect(partial.stderr).toContain("0 trials suspended, 3 not run; go on with: daw-eval resume runs/partial");
  const asked = suite.server.requests.length;
  expect((await suite.cli("resume", "runs/partial", "--cache-dir", "cache", "--quiet")).code).toBe(0);
  // Only what was missing is asked: three trials of one turn.
  expect(suite.server.requests.length - asked).toBe(3);
  expect(await summaryOf(folder("partial"))).toEqual({ ...whole, profile: "part1" });
});
