import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { domainSource } from "../../src/context/connections/domain-source.js";
import type { ScoringConfig } from "../../src/core/profile.js";
import { scoreTrial, type TrialScore } from "../../src/score/score-trial.js";
import { folderWith } from "../support/folder.js";

const SCORING: ScoringConfig = {
  primary: "kdd-columns",
  scorers: ["kdd-columns"],
  penalty: 0.1,
  names: "accept",
  thousands: false,
  pass_min_score: null,
};
const CHECKS = `
verify:
  - name: teams ∈ ledger
    domain_sql: "-- ledger\\nSELECT DISTINCT team FROM deposits"
    anchors: [用得最好, 用得最差]
connections:
  ledger: {type: sqlite, path: ledger.db}
`;

function task(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({ "gold.csv": "a\n1\n", "prediction.csv": "a\n1\n", ...files });
  const database = new Database(path.join(folder, "ledger.db"));
  database.exec("CREATE TABLE deposits (team TEXT); INSERT INTO deposits VALUES ('苏州二部'), ('大连战区')");
  database.close();
  return folder;
}

async function scores(folder: string, scorers: readonly string[] = SCORING.scorers): Promise<TrialScore[]> {
  return scoreTrial({
    own: [],
    answer: { prediction: path.join(folder, "prediction.csv"), conclusion: path.join(folder, "conclusion.md") },
    task: { folder, task_id: "task_1" },
    scoring: SCORING,
    scorers,
    domains: (connections) => domainSource({ connections, context: null, env: {}, timeout_ms: 20_000 }),
  });
}
const claimsOf = async (files: Readonly<Record<string, string>>) =>
  (await scores(task(files))).find(({ scorer }) => scorer === "claims")?.score;

describe("the claims scorer", () => {
  it("scores a task with claim checks, though the profile does not name it, and touches no other score", async () => {
    const conclusion = "用得最好的是苏州二部，用得最差的是武汉咨询部。";
    const found = await scores(task({ "checks.yaml": CHECKS, "conclusion.md": conclusion }));
    expect(found.map(({ scorer, score }) => [scorer, score.value])).toEqual([
      ["kdd-columns", 1],
      ["claims", 0],
    ]);
    expect(found[1]?.score).toMatchObject({
      status: "none",
      details: {
        checks: [{ check: "teams ∈ ledger", state: "red" }],
        findings: [{ check: "teams ∈ ledger", level: "red", entity: "武汉咨询部", sentence: conclusion }],
        red: 1,
        warn: 0,
        error: 0,
        gate_failed: false,
      },
    });
  });

  it("is 1 without a red", async () => {
    const score = await claimsOf({ "checks.yaml": CHECKS, "conclusion.md": "用得最好的是苏州二部。" });
    expect(score).toMatchObject({ status: "perfect", value: 1 });
  });

  it("leaves what could not be checked unscored, and says why", async () => {
    expect(await claimsOf({ "checks.yaml": CHECKS })).toMatchObject({
      status: "unscored",
      value: null,
      reason: "there is no conclusion to reconcile",
      details: { warn: 1 },
    });
    expect(await claimsOf({ "checks.yaml": CHECKS, "conclusion.md": "没有结论" })).toMatchObject({
      status: "unscored",
      details: { warn: 1, error: 0 },
    });
    const broken = CHECKS.replace("deposits", "nowhere");
    expect(await claimsOf({ "checks.yaml": broken, "conclusion.md": "用得最好的是X战区" })).toMatchObject({
      status: "unscored",
      reason: "the domain query failed: no such table: nowhere",
      details: { error: 1 },
    });
  });

  it("counts the checks that could be made", async () => {
    const checks = `${CHECKS.replace(
      "connections:",
      "  - {name: empty, domain_sql: 'SELECT 1 WHERE 0', anchors: [用得最好]}\n  - {name: a, domain_sql: SELECT 1, column: a}\nconnections:",
    )}`;
    expect(await claimsOf({ "checks.yaml": checks, "conclusion.md": "用得最好的是X战区" })).toMatchObject({
      status: "partial",
      value: 0.5,
      details: {
        checks: [
          { check: "teams ∈ ledger", state: "red" },
          { check: "empty", state: "unchecked" },
          { check: "a", state: "passed" },
        ],
      },
    });
  });

  it("has one warning for all checks of an empty conclusion, while columns are still checked", async () => {
    const checks = CHECKS.replace(
      "connections:",
      "  - {name: second, domain_sql: SELECT 1, anchors: [用得最好]}\n  - {name: a, domain_sql: SELECT 2, column: a}\nconnections:",
    );
    expect(await claimsOf({ "checks.yaml": checks, "conclusion.md": "\n" })).toMatchObject({
      status: "none",
      details: {
        findings: [
          { check: "teams ∈ ledger, second", level: "warn" },
          { check: "a", level: "red", entity: "1" },
        ],
      },
    });
  });

  it("fails the gate only by a check that has earned it", async () => {
    const labels = [...Array(12).keys()]
      .map((n) => JSON.stringify({ check: "teams ∈ ledger", entity: `e${n}`, real: true }))
      .join("\n");
    const gate = CHECKS.replace("connections:", "    gate: true\n    labels: labels.jsonl\nconnections:");
    const red = "用得最好的是武汉咨询部";
    expect(await claimsOf({ "checks.yaml": gate, "labels.jsonl": labels, "conclusion.md": red })).toMatchObject({
      status: "none",
      details: { gate_failed: true },
    });
    const refused = await claimsOf({ "checks.yaml": gate, "conclusion.md": red });
    expect(refused).toBeUndefined();
    const [kdd] = await scores(task({ "checks.yaml": gate, "conclusion.md": red }));
    expect(kdd?.score.status).toBe("unscored");
    expect(kdd?.score.reason).toMatch(/"teams ∈ ledger" cannot be a gate yet: it has 0 labels of at least 12/);
  });

  it("has another basis once the database holds other values, so that re-scoring sees it", async () => {
    const folder = task({ "checks.yaml": CHECKS, "conclusion.md": "用得最好的是武汉咨询部" });
    const [before] = await scores(folder, ["claims"]);
    expect((await scores(folder, ["claims"]))[0]?.basis).toBe(before?.basis);
    const database = new Database(path.join(folder, "ledger.db"));
    database.exec("INSERT INTO deposits VALUES ('武汉咨询部')");
    database.close();
    const [after] = await scores(folder, ["claims"]);
    expect(after?.basis).not.toBe(before?.basis);
    expect([before?.score.value, after?.score.value]).toEqual([0, 1]);
  });

  it("leaves a task without claim checks unscored", async () => {
    const [score] = await scores(task({}), ["claims"]);
    expect(score?.score).toMatchObject({ status: "unscored", reason: "the task has no claim checks" });
  });
});

describe("the line-format scorer", () => {
  const RULES = `
line_formats:
  - { name: sources, pattern: '^来源：\\s*\\S+$', where: last-lines, required: true }
  - { name: basis, pattern: '^口径：.+$', where: any-line }
`;
  const lines = async (conclusion: string | null, rules = RULES) => {
    const files = conclusion === null ? {} : { "conclusion.md": conclusion };
    return (await scores(task({ "checks.yaml": rules, ...files }))).find(({ scorer }) => scorer === "line-format")
      ?.score;
  };

  it("is the share of required lines that are there, with every rule in the details", async () => {
    expect(await lines("结论。\n来源：deposits")).toEqual({
      status: "perfect",
      value: 1,
      reason: null,
      details: {
        rules: [
          { name: "sources", required: true, complied: true, line: "来源：deposits" },
          { name: "basis", required: false, complied: false, line: null },
        ],
      },
    });
    expect(await lines("口径：按月")).toMatchObject({ status: "none", value: 0 });
  });

  it("is the share of all lines where none is required", async () => {
    const optional = RULES.replace(", required: true", "");
    expect(await lines("口径：按月", optional)).toMatchObject({ status: "partial", value: 0.5 });
  });

  it("is 0 for a trial without a conclusion, and nothing for a task without rules", async () => {
    expect(await lines(null)).toMatchObject({ status: "none", value: 0 });
    const [score] = await scores(task({}), ["line-format"]);
    expect(score?.score).toMatchObject({ status: "unscored", reason: "the task has no line formats" });
  });
});
