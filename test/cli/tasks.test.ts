import path from "node:path";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../src/report/text-width.js";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { sharedDir } from "../support/shared.js";

const task = (task_id: string, more: object = {}) =>
  JSON.stringify({ task_id, question: "How many fruit are red?", difficulty: "easy", ...more });

function withSuite(more: Readonly<Record<string, string>> = {}): string {
  return folderWith({
    "suite/input/task_1/task.json": task("task_1", { tags: ["fruit", "count"] }),
    "suite/input/task_1/context/csv/fruit.csv": "name,colour\napple,red\npear,green\n",
    "suite/input/task_1/context/knowledge.md": "# Fruit\nRed is red.\n",
    "suite/input/task_二/task.json": task("task_二", { difficulty: "hard", question: "红色的水果有多少个？" }),
    "suite/input/task_二/context/json/fruit.json": '[{"n":1}]',
    "suite/output/task_1/gold.csv": "n\n1\n",
    ...more,
  });
}

describe("daw-eval tasks", () => {
  it("lists id, difficulty, tags, formats, size, gold and question", async () => {
    const { code, stdout } = await cli(["tasks", "suite"], { cwd: withSuite() });
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/).join(" | ")),
    ).toEqual([
      "task | difficulty | tags | formats | size | gold | question",
      "task_1 | easy | fruit,count | csv,md | 53 B | yes | How many fruit are red?",
      "task_二 | hard | json | 9 B | no | 红色的水果有多少个？",
      "",
      "2 tasks, 62 B, 1 without gold: they run and stay unscored",
    ]);
  });

  it("keeps the list within the terminal", async () => {
    const { stdout } = await cli(["tasks", "suite"], { cwd: withSuite(), env: { COLUMNS: "40" } });
    expect(
      stdout
        .split("\n")
        .slice(0, 3)
        .filter((line) => textWidth(line) > 40),
    ).toEqual([]);
  });

  it("is JSON on request", async () => {
    const { tasks } = JSON.parse((await cli(["tasks", "suite", "--json"], { cwd: withSuite() })).stdout);
    expect(tasks[0]).toEqual({
      task_id: "task_1",
      difficulty: "easy",
      tags: ["fruit", "count"],
      formats: ["csv", "md"],
      files: 2,
      bytes: 53,
      gold: true,
      question: "How many fruit are red?",
    });
  });

  it("looks at one task: question, files, tables and what is uncertain", async () => {
    const cwd = withSuite({ "suite/input/task_1/context/csv/ragged.csv": "a,b\n1,2\n3\n" });
    const args = ["tasks", "suite", "task_1", "--cache-dir", "cache"];
    const { code, stdout } = await cli(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("task_1 · easy · fruit · count · gold");
    expect(stdout).toContain("How many fruit are red?");
    expect(stdout).toContain("csv/fruit.csv");
    expect(stdout).toContain("- fruit (2 rows, from csv/fruit.csv): name VARCHAR, colour VARCHAR");
    expect(stdout).toMatch(/- csv\/ragged\.csv: ragged-rows: /);
    const json = JSON.parse((await cli([...args, "--json"], { cwd })).stdout);
    expect(json).toMatchObject({
      task_id: "task_1",
      gold: true,
      catalog: { tables: [{ name: "fruit" }, { name: "ragged" }] },
    });
  });

  it("exits 2 with the nearest id for a task that is not there, and for a folder without tasks", async () => {
    const cwd = withSuite();
    expect(await cli(["tasks", "suite", "task_2"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean task_1?"),
    });
    expect(await cli(["tasks", "suite/output"], { cwd })).toMatchObject({ code: 2 });
  });
});

describe("daw-eval tasks --lint", () => {
  it("finds nothing wrong with a sound suite but what it lacks", async () => {
    const { code, stdout } = await cli(["tasks", "suite", "--lint"], { cwd: withSuite() });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "warning task_二: no gold.csv: the task runs and stays unscored\n2 tasks: 0 errors, 1 warning\n",
    });
  });

  it("exits 2 for golds and checks that nobody can score with", async () => {
    const cwd = withSuite({
      "suite/output/task_1/gold.csv": "a,b\n1\n",
      "suite/output/task_二/gold.csv": "a\n1\n",
      "suite/output/task_二/checks.yaml": "scorng: {}\n",
    });
    const { code, stdout } = await cli(["tasks", "suite", "--lint"], { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(/error {3}task_1: .*gold\.csv: line 2 .*: the task stays unscored\n/);
    expect(stdout).toMatch(/error {3}task_二: .*checks\.yaml:1: unknown key "scorng"; did you mean "scoring"\?\n/);
    expect(stdout).toContain("2 tasks: 2 errors, 0 warnings");
  });

  it("warns of gold cells that look like values and are compared as text", async () => {
    const cwd = withSuite({
      "suite/output/task_1/gold.csv":
        'total,share,price,day,fine\n"1,234",5%,$5,2024/3/1,2024-03-01\n12,0.05,5,2024-03-01,7.5\n',
    });
    const { stdout } = await cli(["tasks", "suite", "task_1", "--lint"], { cwd });
    expect(stdout.trimEnd().split("\n")).toEqual([
      'warning task_1: gold.csv: column "total" has numbers with thousands separators (1 cell, e.g. 1,234): they are compared as text',
      'warning task_1: gold.csv: column "share" has percentages with their sign (1 cell, e.g. 5%): they are compared as text',
      'warning task_1: gold.csv: column "price" has amounts with a currency sign (1 cell, e.g. $5): they are compared as text',
      'warning task_1: gold.csv: column "day" has dates that are not YYYY-MM-DD (1 cell, e.g. 2024/3/1): they are compared as text',
      "1 task: 0 errors, 4 warnings",
    ]);
  });

  it("does not warn of what the task's checks have the scorers read", async () => {
    const cwd = withSuite({
      "suite/output/task_1/gold.csv": 'total\n"1,234"\n',
      "suite/output/task_1/checks.yaml": "scoring:\n  thousands: true\n",
    });
    const { stdout } = await cli(["tasks", "suite", "task_1", "--lint"], { cwd });
    expect(stdout).toBe("1 task: 0 errors, 0 warnings\n");
  });

  it("warns of empty data, of links that lead outside, of hidden knowledge and of misspelt keys", async () => {
    const cwd = withSuite({
      "suite/input/task_1/task.json": task("task_1", { dificulty: "easy" }),
      "suite/input/task_1/context/csv/none.csv": "",
      "suite/input/task_1/context/doc/knowledge.md": "# Hidden\n",
      "suite/output/task_1/gold.csv": "n\n",
    });
    const { code, stdout } = await cli(["tasks", "suite", "task_1", "--lint"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('task.json: unknown key "dificulty"; did you mean "difficulty"?');
    expect(stdout).toContain("context/csv/none.csv is empty");
    expect(stdout).toContain("context/doc/knowledge.md: only a knowledge.md at the top");
    expect(stdout).toContain("gold.csv has a header and no rows");
  });

  it("reports all errors of the loader at once, and is JSON on request", async () => {
    const cwd = withSuite({
      "suite/input/task_3/task.json": "{",
      "suite/input/task_4/task.json": JSON.stringify({ task_id: "task_4" }),
      "suite/input/task_4/context/a.csv": "a\n",
    });
    const { code, stdout } = await cli(["tasks", "suite", "--lint", "--json"], { cwd });
    expect(code).toBe(2);
    const { errors, problems } = JSON.parse(stdout);
    expect(errors).toBe(problems.length);
    const messages = problems.map((problem: { message: string }) => problem.message).join("\n");
    expect(messages).toContain(path.join("task_3", "task.json"));
    expect(messages).toContain("question is missing");
  });

  it.skipIf(sharedDir === null)("has no error on the shared suites (needs the shared data)", async () => {
    const suite = path.join(sharedDir ?? "", "data/kdd-demo");
    expect(await cli(["tasks", suite, "--lint"])).toMatchObject({ code: 0 });
  });
});
