import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { csvReader } from "../../src/answer/csv-reader.js";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { type KitTaskRun, writeKitRun } from "../support/kit-run.js";
import { allTextBelow, recordsOf } from "../support/run-files.js";
import { sharedDir } from "../support/shared.js";

const demo = path.join(sharedDir ?? "", "data", "kdd-demo");

/** A task's run by what the kit's agent is to bring: its gold, a wrong table, or nothing. */
function runOf(task_id: string, brings: "right" | "wrong" | "timeout"): KitTaskRun {
  if (brings === "timeout") return { task_id, answer: null, failure_reason: "Task timed out after 600 seconds." };
  if (brings === "wrong") return { task_id, answer: { columns: ["guess"], rows: [["no idea"]] } };
  const rows: string[][] = [];
  let columns: readonly string[] = [];
  const reader = csvReader({
    header: (cells) => {
      columns = [...cells];
    },
    row: (cells) => {
      rows.push([...cells]);
    },
  });
  reader.push(readFileSync(path.join(demo, "output", task_id, "gold.csv")));
  reader.end();
  return { task_id, answer: { columns, rows } };
}

const CHECKS = `
verify: [{ name: guesses, domain_sql: "-- ledger\\nSELECT guess FROM guesses", column: guess }]
connections: { ledger: { type: sqlite, path: ledger.db } }
`;

test.skipIf(sharedDir === null)(
  "runs of the starter kit, of both trace shapes, are imported, scored, compared, reported, shown, verified and exported",
  async () => {
    const cwd = folderWith();
    const ids = (await readdir(path.join(demo, "input"))).sort();
    const [first = "", second = "", third = ""] = ids;
    const artifacts = path.join(cwd, "artifacts", "runs");
    const right = ids.map((id) => runOf(id, "right"));
    const a = writeKitRun(artifacts, "20260401T120000Z", "react", [
      ...right.slice(0, -1),
      runOf(ids.at(-1) ?? "", "timeout"),
    ]);
    const b = writeKitRun(artifacts, "20260401T130000Z", "graph", [runOf(first, "wrong"), ...right.slice(1)]);
    const c = writeKitRun(artifacts, "20260402T120000Z", "graph", [
      ...[first, second, third].map((id) => runOf(id, "wrong")),
      ...right.slice(3),
    ]);
    const run = (...args: string[]) => cli(args, { cwd });
    const tasks = ["--tasks", demo, "--cache-dir", "cache"];

    const imported = await run("import", a, b, "--run-id", "base", "--model", "kit-model", ...tasks);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(imported.stdout).toMatch(
      /^9 tasks × 2 imported from 20260401T120000Z, 20260401T130000Z into runs\/base\n18 trials: 18 valid/,
    );
    expect((await run("import", c, "--run-id", "head", ...tasks)).code).toBe(0);

    const again = await run("score", "base", ...tasks);
    expect(again.stdout).toMatch(/^0 scores appended/);

    const report = await run("report", "base", "--json", "--html", "report.html");
    expect(report.stderr).toBe("");
    const summary = JSON.parse(report.stdout);
    expect(summary.imported_from).toEqual(["20260401T120000Z", "20260401T130000Z"]);
    expect(summary.arms[0]).toMatchObject({ repeats: 2, infra: 0 });
    const found = summary.arms[0].tasks.map(({ task_id, passes, valid }: Record<string, unknown>) => [
      task_id,
      passes,
      valid,
    ]);
    expect(found).toContainEqual([first, 1, 2]);
    expect(found).toContainEqual([second, 2, 2]);
    expect(found).toContainEqual([ids.at(-1), 1, 2]);
    expect(readFileSync(path.join(cwd, "report.html"), "utf8")).toContain("step-reported");

    const diff = JSON.parse((await run("diff", "base", "head", "--json", "--fail-on", "never")).stdout);
    expect(diff).toMatchObject({ common: 9, incomparable: [] });
    expect(diff.delta).toBeLessThan(0);

    const [react, graph] = await Promise.all([
      run("show", "base", `${first}#1`, "--brief"),
      run("show", "base", `${first}#2`, "--brief"),
    ]);
    for (const shown of [react, graph]) {
      expect(shown.stdout).toContain('reported: "First I look." list_context {"max_depth":4} → ok');
      expect(shown.stdout).toMatch(/answer-delivered .*\n.*trial-finished .*answered → trials\/main/);
    }
    expect(react.stdout).toContain("__error__ {} → Model response must be a JSON object.");
    expect((await run("show", "base", `${ids.at(-1)}#1`, "--brief")).stdout).toContain("limit reached: seconds");

    const ledger = new Database(path.join(cwd, "ledger.db"));
    ledger.exec("CREATE TABLE guesses (guess TEXT); INSERT INTO guesses VALUES ('some idea')");
    ledger.close();
    writeFileSync(path.join(cwd, "checks.yaml"), CHECKS);
    const verified = await run("verify", "base", "--checks", "checks.yaml", "--json", ...tasks);
    expect(JSON.parse(verified.stdout)).toMatchObject({ red: 1, checks: [{ check: "guesses" }] });

    mkdirSync(path.join(cwd, "submission", ids.at(-1) ?? ""), { recursive: true });
    writeFileSync(path.join(cwd, "submission", ids.at(-1) ?? "", "prediction.csv"), "old\n1\n");
    const exported = await run("export", "base", "--kdd", "submission", "--repeat", "1");
    expect(exported.code).toBe(3);
    expect(exported.stderr).toContain(`left out, without an answer: ${ids.at(-1)}`);
    expect(exported.stderr).toContain(`removed what an earlier export left there: ${ids.at(-1)}`);
    const scored = await run("score", "--predictions", "submission", "--gold", path.join(demo, "output"), "--json");
    expect(JSON.parse(scored.stdout).summary).toMatchObject({ tasks: 9, perfect: 8, missing: 1 });

    // Provenance is in the record; no gold is anywhere, and nothing continues or replays what ran elsewhere.
    const [start] = await recordsOf(path.join(cwd, "runs", "base"));
    expect(start).toMatchObject({
      record: "run-start",
      imported: {
        tool: "kddcup2026-starter-kit",
        runs: [{ run_id: "20260401T120000Z", folder: a }, { folder: b }],
        notes: [],
      },
      profile: { model: { provider: "none", name: "kit-model" }, agent: { strategy: "command" } },
    });
    expect(await allTextBelow(path.join(cwd, "runs", "head"))).not.toContain("gold.csv");
    expect(await run("resume", "runs/base")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("import it again"),
    });
    expect(await run("replay", "base", "--tasks", demo)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was imported"),
    });
  },
);
