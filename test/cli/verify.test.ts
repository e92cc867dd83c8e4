import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { logText, NO_CONNECTION, runEnd, runStart, trialEnd } from "../support/run-records.js";

const CHECKS = `
verify:
  - name: teams
    domain_sql: SELECT DISTINCT team FROM deposits
    anchors: [用得最好, 用得最差]
`;
const LEDGER = `${CHECKS}connections:\n  ledger: {type: sqlite, path: ledger.db}\n`;
const RED = "用得最好的是苏州二部，用得最差的是武汉咨询部。";

/** A folder with a ledger of two teams and these files. */
function ledger(files: Readonly<Record<string, string>> = {}): string {
  const cwd = folderWith({ "checks.yaml": LEDGER, ...files });
  const database = new Database(path.join(cwd, "ledger.db"));
  database.exec("CREATE TABLE deposits (team TEXT); INSERT INTO deposits VALUES ('苏州二部'), ('武汉战区')");
  database.close();
  return cwd;
}

const TEXT = ["verify", "--text", "answer.md", "--checks", "checks.yaml"];

describe("daw-eval verify --text", () => {
  it("prints the findings as JSON", async () => {
    const { code, stdout, stderr } = await cli([...TEXT, "--json"], { cwd: ledger({ "answer.md": RED }) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      findings: [
        {
          check: "teams",
          level: "red",
          entity: "武汉咨询部",
          sentence: RED,
          nearest: ["武汉战区"],
          detail: '"武汉咨询部" is not among the 2 values of the domain',
        },
      ],
      red: 1,
      warn: 0,
      error: 0,
      failed_gates: [],
    });
  });

  it("prints a line a finding for people, and a sum", async () => {
    const { code, stdout } = await cli(TEXT, { cwd: ledger({ "answer.md": RED }), env: { COLUMNS: "100" } });
    expect(code).toBe(0);
    expect(stdout).toBe(
      `level  check  entity      nearest   where
red    teams  武汉咨询部  武汉战区  用得最好的是苏州二部，用得最差的是武汉咨询部。

1 red, 0 warnings, 0 errors
`,
    );
    const clean = await cli(TEXT, { cwd: ledger({ "answer.md": "用得最好的是苏州二部。" }) });
    expect(clean.stdout).toBe("0 red, 0 warnings, 0 errors\n");
  });

  it("reads the text from stdin", async () => {
    const args = ["verify", "--text", "-", "--checks", "checks.yaml", "--json"];
    const { stdout } = await cli(args, { cwd: ledger(), input: RED });
    expect(JSON.parse(stdout).red).toBe(1);
    expect(JSON.parse((await cli(args, { cwd: ledger(), input: "" })).stdout)).toMatchObject({ red: 0, warn: 1 });
  });

  it("asks the task's own data with --context, be it the data's folder or the task's", async () => {
    const cwd = folderWith({
      "checks.yaml": CHECKS,
      "answer.md": RED,
      "task/task.json": "{}",
      "task/context/csv/deposits.csv": "team,n\n苏州二部,1\n大连战区,2\n",
    });
    for (const context of ["task", "task/context"]) {
      const args = [...TEXT, "--context", context, "--cache-dir", path.join(cwd, "cache"), "--json"];
      expect(JSON.parse((await cli(args, { cwd })).stdout)).toMatchObject({ red: 1, error: 0 });
    }
    expect(JSON.parse((await cli([...TEXT, "--json"], { cwd })).stdout)).toMatchObject({
      error: 1,
      findings: [{ detail: expect.stringContaining("there is no task data to ask here") }],
    });
  });

  it("exits 1 on a red with --fail-on red, and 3 where the check could not be made", async () => {
    const fail = [...TEXT, "--fail-on", "red"];
    expect((await cli(fail, { cwd: ledger({ "answer.md": RED }) })).code).toBe(1);
    expect((await cli(fail, { cwd: ledger({ "answer.md": "用得最好的是苏州二部" }) })).code).toBe(0);
    const broken = ledger({ "answer.md": RED, "checks.yaml": LEDGER.replace("deposits", "nowhere") });
    expect((await cli(fail, { cwd: broken })).code).toBe(3);
    expect((await cli(TEXT, { cwd: broken })).code).toBe(0);
  });

  it("exits 1 on a red of a gate, and refuses a gate that has not earned it", async () => {
    const gate = LEDGER.replace("connections:", "    gate: true\n    labels: labels.jsonl\nconnections:");
    const labels = [...Array(12).keys()].map((n) => JSON.stringify({ check: "teams", entity: `e${n}`, real: true }));
    const cwd = ledger({ "answer.md": RED, "checks.yaml": gate, "labels.jsonl": `${labels.join("\n")}\n` });
    const earned = await cli(TEXT, { cwd });
    expect(earned.code).toBe(1);
    expect(earned.stdout).toContain("failed gates: teams");
    const refused = await cli(TEXT, { cwd: ledger({ "answer.md": RED, "checks.yaml": gate }) });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^daw-eval: checks\.yaml:6: "teams" cannot be a gate yet: it has 0 labels of at least 12, precision unknown/,
    );
  });

  it("keeps what a person says about reds, and asks about each once", async () => {
    const cwd = ledger({ "answer.md": `${RED}\n用得最差的是大连战区。用得最差的是长沙一组。` });
    const first = await cli([...TEXT, "--label"], { cwd, input: "y\nmaybe\nn\n" });
    expect(first.stderr).toContain("teams: 武汉咨询部 (nearest: 武汉战区)");
    const file = path.join(cwd, "claim-labels.jsonl");
    const said = [
      { check: "teams", entity: "武汉咨询部", real: true, found: true, trial: null },
      { check: "teams", entity: "大连战区", real: false, found: true, trial: null },
    ];
    const lines = () =>
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(lines()).toEqual(said);
    const second = await cli([...TEXT, "--label"], { cwd, input: "s\n" });
    expect(second.stderr).not.toContain("武汉咨询部 (");
    expect(second.stderr).toContain("长沙一组");
    expect(lines()).toEqual(said);
  });

  it.each([
    [["verify"], "name a run whose conclusions to verify, or give --text FILE"],
    [["verify", "--text", "answer.md"], "name a run whose conclusions to verify, or give --text FILE"],
    [[...TEXT, "--fail-on", "warn"], "--fail-on warn: give one of red"],
    [["verify", "--text", "nowhere.md", "--checks", "checks.yaml"], "--text nowhere.md: no such file"],
    [["verify", "--text", "answer.md", "--checks", "nowhere.yaml"], "nowhere.yaml: no such file"],
    [[...TEXT, "--context", "nowhere"], "--context nowhere: no such folder"],
    [[...TEXT, "--label", "--json"], "--label asks questions: leave --json out"],
    [["verify", "some-run", "--text", "answer.md"], "--text goes without a run"],
    [["verify", "some-run"], "some-run: no such run"],
  ])("says in one line what is wrong with %j", async (args, message) => {
    const { code, stdout, stderr } = await cli(args, { cwd: ledger({ "answer.md": RED }) });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`daw-eval: ${message}`);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

/** A run of two tasks with claim checks on their own data, and one without. */
function withRun(): string {
  const task = (id: string) => ({
    [`suite/input/${id}/task.json`]: JSON.stringify({ task_id: id, question: "?" }),
    [`suite/input/${id}/context/deposits.csv`]: "team,n\n苏州二部,1\n武汉战区,2\n",
  });
  const conclusion = (place: string, text: string) => ({ [`runs/one/trials/main/${place}/conclusion.md`]: text });
  const cwd = folderWith({
    ...task("task_1"),
    ...task("task_2"),
    ...task("task_3"),
    "suite/output/task_1/checks.yaml": CHECKS,
    "suite/output/task_2/checks.yaml": CHECKS,
    ...conclusion("task_1/1/1", RED),
    ...conclusion("task_1/2/2", "用得最差的是武汉咨询部和大连战区。"),
    ...conclusion("task_2/1/1", "用得最好的是苏州二部。"),
    ...conclusion("task_3/1/1", "用得最好的是北京战区。"),
  });
  writeFileSync(
    path.join(cwd, "runs/one/run.jsonl"),
    logText([
      runStart({ repeats: 3, suite: path.join(cwd, "suite"), tasks: { task_1: {}, task_2: {}, task_3: {} } }),
      trialEnd("task_1", 1),
      trialEnd("task_1", 2, { attempt: 2 }),
      trialEnd("task_1", 3, { outcome: NO_CONNECTION, prediction: null, signature: null }),
      trialEnd("task_2", 1),
      trialEnd("task_2", 2, { outcome: { kind: "no-answer", reason: "max-steps" }, prediction: null, signature: null }),
      trialEnd("task_3", 1),
      runEnd("interrupted"),
    ]),
  );
  return cwd;
}

describe("daw-eval verify <run>", () => {
  const verify = (cwd: string, ...more: string[]) =>
    cli(["verify", "one", "--cache-dir", path.join(cwd, "cache"), ...more], { cwd });

  it("reconciles every valid trial's conclusion and groups the reds by check and entity", async () => {
    const cwd = withRun();
    const before = readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8");
    const { code, stdout, stderr } = await verify(cwd, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      run_id: expect.any(String),
      trials: 4,
      findings: [
        { trial: "task_1#1@main", level: "red", entity: "武汉咨询部" },
        { trial: "task_1#2@main", level: "red", entity: "武汉咨询部" },
        { trial: "task_1#2@main", level: "red", entity: "大连战区" },
        { trial: "task_2#2@main", level: "warn", entity: null },
      ],
      red: 3,
      warn: 1,
      error: 0,
      groups: [
        { check: "teams", entity: "武汉咨询部", count: 2, trials: ["task_1#1@main", "task_1#2@main"] },
        { check: "teams", entity: "大连战区", count: 1, trials: ["task_1#2@main"] },
      ],
      checks: [{ check: "teams", passed: 1, red: 2, unchecked: 1, labels: 0, precision: null, recall: null }],
    });
    expect(readFileSync(path.join(cwd, "runs/one/run.jsonl"), "utf8")).toBe(before);
  });

  it("tells the precision and recall of each check by the labels of the run", async () => {
    const cwd = withRun();
    const labels = [
      { check: "teams", entity: "武汉咨询部", real: true, trial: "task_1#1@main" },
      { check: "teams", entity: "武汉咨询部", real: true, trial: "task_1#2@main" },
      { check: "teams", entity: "大连战区", real: false, trial: "task_1#2@main" },
      { check: "teams", entity: "北京", real: true, found: false, trial: "task_2#1@main" },
      { check: "teams", entity: "x", real: true, trial: "of-another-run#1@main" },
    ];
    writeFileSync(path.join(cwd, "labels.jsonl"), labels.map((label) => JSON.stringify(label)).join("\n"));
    const { stdout } = await verify(cwd, "--labels", "labels.jsonl", "--json");
    expect(JSON.parse(stdout).checks).toEqual([
      {
        check: "teams",
        passed: 1,
        red: 2,
        unchecked: 1,
        labels: 3,
        real: 2,
        missed: 1,
        precision: 2 / 3,
        recall: 2 / 3,
      },
    ]);
    const people = await cli(["verify", "one", "--labels", "labels.jsonl", "--cache-dir", path.join(cwd, "cache")], {
      cwd,
      env: { COLUMNS: "120" },
    });
    expect(people.stdout).toContain("teams       1    2          1       3     66.7 %  66.7 %");
    expect(people.stdout).toContain("4 conclusions: 3 red, 1 warning, 0 errors\n");
  });

  it("asks about the reds with --label, and counts the answers at once", async () => {
    const cwd = withRun();
    const args = ["verify", "one", "--label", "--cache-dir", path.join(cwd, "cache")];
    const { code, stdout, stderr } = await cli(args, { cwd, input: "y\nn\nq\n" });
    expect(code).toBe(0);
    expect(stderr).toContain("task_1#2@main · teams: 大连战区");
    expect(stderr).toContain("2 labels added");
    expect(stdout).toContain("50.0 %");
    expect(existsSync(path.join(cwd, "runs/one/claim-labels.jsonl"))).toBe(true);
  });

  it("makes a new check of an old run: one file for all its tasks", async () => {
    const cwd = withRun();
    const args = ["--checks", "new.yaml", "--json", "--fail-on", "red"];
    writeFileSync(path.join(cwd, "new.yaml"), CHECKS.replace("name: teams", "name: new"));
    const { code, stdout } = await verify(cwd, ...args);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ trials: 5, red: 4, checks: [{ check: "new" }] });
  });
});
