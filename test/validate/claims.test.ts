import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import type { AnswerValidated } from "../../src/core/event-validation.js";
import type { ClaimsConfig } from "../../src/core/profile.js";
import { fold } from "../../src/core/reduce.js";
import { folderWith } from "../support/folder.js";
import { type Reply, textReply, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { type RoleScripts, scriptedRun } from "../support/scripted-run.js";
import { usageLines } from "../support/usage-lines.js";

const SQL = "SELECT team FROM deposits ORDER BY n DESC LIMIT 1";
const CHECKS = `
verify:
  - name: teams
    domain_sql: SELECT DISTINCT team FROM deposits
    anchors: [用得最好, 用得最差]
`;
const LEGAL = "用得最好的是苏州二部。";
const WRONG = "用得最好的是苏州二部，用得最差的是武汉咨询部。";
const { answer_validation } = profileWith({});

/** A submission with this conclusion. */
const submit = (id: string, conclusion: string): Reply =>
  toolCallReply([
    {
      id,
      name: "submit_tool_result",
      args: { tool_name: "execute_probe_query", tool_args: { queries: [SQL] }, conclusion },
    },
  ]);
const probe: Reply = toolCallReply([{ id: "probe", name: "execute_probe_query", args: { queries: [SQL] } }]);
const fine = textReply(JSON.stringify({ valid: true, issues: [], required_next_actions: [] }));

interface Options {
  readonly scripts: RoleScripts;
  readonly mode?: ClaimsConfig["mode"];
  readonly checks?: string;
  readonly answer?: "observe" | "enforce";
  readonly max_steps?: number;
}

function claimsRun({ scripts, mode = "enforce", checks = CHECKS, answer, max_steps = 32 }: Options) {
  const folder = folderWith({
    "suite/task_1/task.json": JSON.stringify({ task_id: "task_1", question: "哪个团队用得最好？" }),
    "suite/task_1/context/deposits.csv": "team,n\n苏州二部,3\n武汉战区,1\n",
    "checks.yaml": checks,
  });
  return scriptedRun({
    suite: path.join(folder, "suite"),
    task: "task_1",
    scripts,
    profile: {
      claims: { mode, checks: path.join(folder, "checks.yaml") },
      answer_validation: { ...answer_validation, mode: answer ?? "off" },
      agent: profileWith({ agent: { max_steps } }).agent,
    },
  });
}

const verdicts = (events: readonly TrialEvent[]) =>
  events.flatMap((event) => (event.type === "answer-validated" ? [event] : []));
const inShort = ({ by, mode, verdict, findings }: AnswerValidated) => [
  by,
  mode,
  verdict,
  ...findings.map(({ rule, level }) => `${level} ${rule}`),
];
const RED = "red claim-outside-domain";

describe("claims before delivery", () => {
  it("send a red conclusion back once, with the most similar values, and check the corrected one again", async () => {
    const agent = [submit("a", WRONG), submit("b", LEGAL)];
    const { events, seen } = await claimsRun({ scripts: { agent } });
    expect(verdicts(events).map(inShort)).toEqual([
      ["claims", "enforce", "rejected", RED],
      ["claims", "enforce", "passed"],
    ]);
    expect(seen.agent).toHaveLength(2);
    expect(seen.agent[1]?.messages.at(-1)).toEqual({
      role: "user",
      content: `结论中的一些名称不在数据的值域之内。该结论及其答案已被撤回。
问题：
1. “武汉咨询部”不在数据的值域之内；最相近的是 武汉战区（teams）：${WRONG}
只使用数据中存在的、与问题层级一致的名称。如果表格有同样的错误，也请改正，然后重新提交；此提示只出现一次。`,
    });
    expect(fold(events).outcome).toMatchObject({ kind: "answered", validation: { answer: "off" } });
    expect(events.find((event) => event.type === "candidate-cleared")).toMatchObject({ by: "answer" });
  });

  it("let what is still red go, and keep it in the log", async () => {
    const agent = [submit("a", WRONG), submit("b", WRONG)];
    const { events } = await claimsRun({ scripts: { agent } });
    expect(verdicts(events).map(inShort)).toEqual([
      ["claims", "enforce", "rejected", RED],
      ["claims", "enforce", "passed", RED],
    ]);
    expect(fold(events).outcome).toMatchObject({ kind: "answered" });
  });

  it("change nothing where they only observe", async () => {
    const { events, seen } = await claimsRun({ scripts: { agent: [submit("a", WRONG)] }, mode: "observe" });
    expect(verdicts(events).map(inShort)).toEqual([["claims", "observe", "passed", RED]]);
    expect(seen.agent).toHaveLength(1);
    expect(fold(events).outcome).toMatchObject({ kind: "answered", validation: { answer: "off" } });
  });

  it("are looked at before the form, whose validator never reads of them, and cost it no retry", async () => {
    const agent = [submit("a", WRONG), submit("b", WRONG)];
    const { events, seen } = await claimsRun({ scripts: { agent, answer: [fine] }, answer: "enforce" });
    expect(verdicts(events).map(inShort)).toEqual([
      ["claims", "enforce", "rejected", RED],
      ["model", "enforce", "passed", RED],
    ]);
    expect(JSON.stringify(seen.answer)).not.toContain("武汉咨询部");
    expect(fold(events).validation.answer.rejections).toBe(1);
  });

  it("act although the form is only observed", async () => {
    const agent = [submit("a", WRONG), submit("b", LEGAL)];
    const { events } = await claimsRun({ scripts: { agent, answer: [fine] }, answer: "observe" });
    expect(verdicts(events).map(inShort)).toEqual([
      ["claims", "enforce", "rejected", RED],
      ["model", "observe", "passed"],
    ]);
  });

  it("keep the answer of an agent that comes to its end before it can correct it", async () => {
    const { events } = await claimsRun({
      scripts: { agent: [submit("a", WRONG), textReply("?"), textReply("?")] },
      max_steps: 2,
    });
    expect(fold(events).prediction).toMatch(/prediction\.csv$/);
  });

  it("only record what a forced answer claims", async () => {
    const { events } = await claimsRun({ scripts: { agent: [probe, submit("a", WRONG)] }, max_steps: 1 });
    expect(events.find((event) => event.type === "validation-skipped")).toMatchObject({
      reason: "forced-answer",
      findings: [{ rule: "claim-outside-domain", level: "red" }],
    });
    expect(fold(events).outcome).toMatchObject({ kind: "answered", forced: true });
  });

  it("do not stop a trial whose domain query fails, and say so in the log", async () => {
    const checks = CHECKS.replace("deposits", "nowhere");
    const { events } = await claimsRun({ scripts: { agent: [submit("a", WRONG)] }, checks });
    expect(verdicts(events).map(inShort)).toEqual([["claims", "enforce", "passed", "note claim-outside-domain"]]);
  });

  it("ask nothing for an answer without words", async () => {
    const { events } = await claimsRun({ scripts: { agent: [submit("a", "  ")] } });
    expect(events.some((event) => event.type === "data-queried")).toBe(false);
    expect(verdicts(events).map(inShort)).toEqual([["claims", "enforce", "passed", "warn claim-outside-domain"]]);
  });
});

describe("the checks of the profile", () => {
  it("are only those that ask the task's own data", async () => {
    const checks = `verify:
  - {name: other, domain_sql: "SELECT 1", anchors: [用得最好]}
  - {name: column, domain_sql: "-- context\\nSELECT 1", column: team}
  - {name: own, domain_sql: "-- context\\nSELECT team FROM deposits", anchors: [用得最好]}
connections:
  ledger: {type: sqlite, path: nowhere.db}
`;
    const { events } = await claimsRun({ scripts: { agent: [submit("a", LEGAL)] }, checks });
    expect(fold(events).started?.claim_checks.map(({ name }) => name)).toEqual(["own"]);
    expect(verdicts(events).map(inShort)).toEqual([["claims", "enforce", "passed"]]);
  });

  it("are refused before anything runs where none of them can be made", async () => {
    const checks = `${CHECKS}connections:\n  ledger: {type: sqlite, path: nowhere.db}\n`;
    expect(await usageLines(() => claimsRun({ scripts: {}, checks }))).toEqual([
      expect.stringMatching(/checks\.yaml: no check here can be made during a trial/),
    ]);
  });
});
