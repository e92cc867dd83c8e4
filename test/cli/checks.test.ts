import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { textReply, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { recordsOf } from "../support/run-files.js";
import { type RoleScripts, scriptedRun } from "../support/scripted-run.js";
import { writeTask } from "../support/suite.js";

const WRONG = "SELECT count(*) AS n FROM fruit LIMIT 1";
const RIGHT = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
const source = (sql: string) => ({ tool_name: "execute_probe_query", tool_args: { queries: [sql] } });
const probe = (id: string, sql: string) =>
  toolCallReply([{ id, name: "execute_probe_query", args: { queries: [sql] } }]);
const submit = (id: string, sql: string) => toolCallReply([{ id, name: "submit_tool_result", args: source(sql) }]);
const verdict = (value: object) => textReply(JSON.stringify(value));
const REJECT = verdict({
  valid: false,
  issues: ["colour is not filtered, see step_1:call_a"],
  required_next_actions: ["query the colours"],
  semantic_ledger: { verified_claims: ["secret claim"] },
});
const PASS = verdict({ valid: true });

/** A run whose first candidate is wrong and rejected, and whose second is right and passes. */
async function checkedRun(scripts: Partial<RoleScripts> = {}, log_packets = false) {
  const suite = folderWith();
  await writeTask(suite, { task_id: "task_1", gold: "n\n2\n" });
  const { process_validation } = profileWith({});
  const agent = [probe("a", WRONG), submit("b", WRONG), probe("c", RIGHT), submit("d", RIGHT)];
  return scriptedRun({
    suite,
    task: "task_1",
    scripts: { agent, process: [REJECT, PASS], ...scripts },
    profile: { process_validation: { ...process_validation, mode: "enforce", mechanical: "observe", log_packets } },
  });
}

describe("a run with checks", () => {
  it("shows each check with its findings, demands and the evidence that they cite", async () => {
    const { runFolder, events } = await checkedRun();
    const first = events.find(({ type }) => type === "process-validated")?.seq ?? -1;
    const { code, stdout } = await cli(["show", runFolder, "task_1#1", "--brief"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`#${first} process check (candidate, enforce): rejected by model, packet `);
    expect(stdout).toContain("  warn unasked-limit: The submitted SQL has LIMIT 1");
    expect(stdout).toContain("  issue: colour is not filtered, see step_1:call_a");
    expect(stdout).toContain("  required: query the colours");
    expect(stdout).toContain(`  evidence step_1:call_a: execute_probe_query {"queries":["${WRONG}"]`);
    expect(stdout).toMatch(/#\d+ process check \(candidate, enforce\): passed by model/);
  });

  it.each([
    ["worked out again", false],
    ["from the log", true],
  ])("prints the packet that a check judged, %s", async (_, logged) => {
    const { runFolder, events } = await checkedRun({}, logged);
    const checks = events.filter((event) => event.type === "process-validated");
    expect(checks.map((check) => "packet" in check)).toEqual([logged, logged]);
    const { code, stdout } = await cli(["show", runFolder, "task_1#1", "--packet", String(checks[1]?.seq)]);
    expect(code).toBe(0);
    const packet = JSON.parse(stdout);
    expect(packet).toMatchObject({
      schema_version: 2,
      evidence_items: [{ id: "step_1:call_a" }, { id: "step_3:call_c" }],
    });
  });

  it("says which events have a packet where another is asked for, and never prints one that was not judged", async () => {
    const { runFolder, events } = await checkedRun();
    const seqs = events.flatMap(({ type, seq }) => (type === "process-validated" ? [seq] : []));
    const wrong = await cli(["show", runFolder, "task_1#1", "--packet", "0"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining(`there are: ${seqs.join(", ")}`) });
    const file = path.join(runFolder, "trials/main/task_1/1/1/events.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replace('"packet_digest":"', '"packet_digest":"0'));
    const stale = await cli(["show", runFolder, "task_1#1", "--packet", String(seqs[0])]);
    expect(stale).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("another packet") });
  });

  it("scores every candidate that was judged, and reports what rejections did and how often they were right", async () => {
    const { runFolder } = await checkedRun();
    const scored = (await recordsOf(runFolder)).filter((record) => record.record === "candidate-score");
    expect(scored.map(({ status }) => status)).toEqual(["none", "perfect"]);
    const json = JSON.parse((await cli(["report", runFolder, "--json"])).stdout);
    expect(json.arms[0].validation).toMatchObject({
      rejections: { candidates: 1, changed: 1, better: 1, worse: 0 },
      confusion: [
        { judge: "process", rejected_wrong: 1, rejected_right: 0, accepted_wrong: 0, accepted_right: 1 },
        { judge: "unasked-limit (process)", rejected_wrong: 1, accepted_right: 1 },
      ],
      spent: [{ validator: "process", calls: 2 }],
    });
    const { stdout } = await cli(["report", runFolder]);
    expect(stdout).toContain("checks: process candidate rejected 1, passed 1");
    expect(stdout).toContain("1 candidate taken back · answer changed 1");
    expect(stdout).toMatch(/process +1 +0 +0 +1 +100 % \(21–100\) +0 % \(0–79\)/);
  });

  it("scores candidates again with the run: nothing when nothing changed, anew when the gold did", async () => {
    const { runFolder, suite } = await checkedRun();
    const again = async () => JSON.parse((await cli(["score", runFolder, "--json"])).stdout).candidates;
    expect(await again()).toBe(0);
    await writeFile(path.join(suite, "task_1", "gold.csv"), "n\n3\n");
    expect(await again()).toBe(2);
    expect(await again()).toBe(0);
    const json = JSON.parse((await cli(["report", runFolder, "--json"])).stdout);
    expect(json.arms[0].validation.confusion[0]).toMatchObject({ rejected_right: 1, accepted_wrong: 1 });
  });
});
