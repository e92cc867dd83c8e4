import { describe, expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import { fold } from "../../src/core/reduce.js";
import { folderWith } from "../support/folder.js";
import { type ChatBody, type Reply, textReply, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { type RoleScripts, scriptedRun } from "../support/scripted-run.js";
import { writeTask } from "../support/suite.js";

const QUESTION = "How many fruit are red?";
const SQL = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
const KNOWLEDGE = "# Fruit\n\ncolour: as seen by the picker.\n";

async function fruit(question = QUESTION): Promise<{ suite: string; task: string }> {
  const suite = folderWith();
  const context = {
    "csv/fruit.csv": "name,colour,grams\napple,red,150\npear,green,170\nplum,red,40\n",
    "knowledge.md": KNOWLEDGE,
    "doc/picking.md": "# Colours\n\nA fruit is red when more than half of it is.\n",
  };
  await writeTask(suite, { task_id: "task_1", question, context, gold: "n\n2\n" });
  return { suite, task: "task_1" };
}

const probe = (id: string, sql = SQL) =>
  toolCallReply([{ id, name: "execute_probe_query", args: { queries: [sql] } }], reasoning);
const readDoc = (id: string) => toolCallReply([{ id, name: "read_doc", args: { path: "doc/picking.md" } }], reasoning);
const submit = (id: string, sql = SQL) =>
  toolCallReply(
    [{ id, name: "submit_tool_result", args: { tool_name: "execute_probe_query", tool_args: { queries: [sql] } } }],
    reasoning,
  );
const SECRET_THOUGHT = "the reasoning that nobody else may see";
const reasoning = { message: { reasoning_content: SECRET_THOUGHT } };

const ledger = (unverified: string[]) => ({
  intent_summary: "LEDGER: count red fruit",
  verified_claims: ["LEDGER: fruit has a row a fruit"],
  unverified_assumptions: unverified,
  unresolved_ambiguities: ["LEDGER: what red is"],
  drift_risks: ["LEDGER: do not count pickers"],
});
const REJECT = textReply(
  JSON.stringify({
    valid: false,
    issues: ["what counts as red is not shown"],
    required_next_actions: ["read doc/picking.md"],
    semantic_ledger: ledger(["LEDGER: red means red"]),
  }),
);
const PASS = textReply(`\`\`\`json\n${JSON.stringify({ valid: true, semantic_ledger: ledger([]) })}\n\`\`\``);
const FINE = textReply(JSON.stringify({ valid: true }));
const NO_WAY = textReply(JSON.stringify({ valid: false, issues: ["no"], required_next_actions: ["another"] }));

const { process_validation, answer_validation } = profileWith({});
const enforce = {
  process_validation: { ...process_validation, mode: "enforce" as const },
  answer_validation: { ...answer_validation, mode: "enforce" as const },
};

const types = (events: readonly TrialEvent[]) => events.map(({ type }) => type);
const text = (bodies: readonly ChatBody[]) => JSON.stringify(bodies.map(({ messages }) => messages));
const outcomeOf = (events: readonly TrialEvent[]) => fold(events).outcome;

describe("a trial that is rejected once", () => {
  const agent: Reply[] = [probe("a"), submit("b"), submit("c"), readDoc("d"), submit("e")];
  const scripts: RoleScripts = { agent, process: [REJECT, PASS], answer: [FINE] };

  it("is refused until it acts, acts, and passes", async () => {
    const { events, seen } = await scriptedRun({ ...(await fruit()), scripts, profile: enforce });
    expect(outcomeOf(events)).toMatchObject({ kind: "answered", validation: { process: "passed", answer: "passed" } });
    expect(types(events).filter((type) => type !== "model-responded" && type !== "data-queried")).toEqual([
      "trial-started",
      "tool-returned",
      "candidate-submitted",
      "process-validated",
      "candidate-cleared",
      "tool-returned",
      "tool-returned",
      "candidate-submitted",
      "process-validated",
      "answer-validated",
      "trial-finished",
    ]);
    const told = seen.agent
      .at(-1)
      ?.messages.filter(({ role }) => role === "user")
      .at(-1)?.content;
    expect(told).toContain("what counts as red is not shown");
    expect(told).toContain("read doc/picking.md");
    const refusal = seen.agent.at(-1)?.messages.find((message) => message.tool_call_id === "c")?.content;
    expect(refusal).toContain("actions-outstanding");
    expect(refusal).toContain("read doc/picking.md");
  });

  it("shows each role what is its own: no ledger and no reasoning to the agent, no reasoning to anyone", async () => {
    const { seen } = await scriptedRun({ ...(await fruit()), scripts, profile: enforce });
    expect(text(seen.agent)).not.toContain("LEDGER");
    expect(text([...seen.agent, ...seen.process, ...seen.answer])).not.toContain(SECRET_THOUGHT);
    const [first, second] = seen.process;
    expect(first?.messages).toHaveLength(2);
    expect(first?.messages[1]?.content).toContain("<previous_ledger>\nnull\n");
    expect(first?.messages[1]?.content).toContain('"id":"step_1:call_a"');
    expect(first?.messages[1]?.content).toContain(SQL);
    expect(first?.messages[1]?.content).toContain("as seen by the picker");
    expect(first?.messages[1]?.content).toContain('"scalar":"2"');
    expect(second?.messages[1]?.content).toContain("LEDGER: red means red");
    expect(second?.messages[1]?.content).toContain('"id":"step_4:call_d"');
    expect(second?.messages[1]?.content).toContain("more than half");
    const answer = text(seen.answer);
    expect(answer).toContain("<row_count>\\n1\\n");
    expect(answer).not.toContain("LEDGER");
    expect(answer).not.toContain("evidence_items");
  });

  it("speaks Chinese to a Chinese question in every role", async () => {
    const { seen } = await scriptedRun({ ...(await fruit("红色的水果有多少个？")), scripts, profile: enforce });
    expect(seen.process[0]?.messages[0]?.content).toContain("审计");
    expect(seen.answer[0]?.messages[0]?.content).toContain("检查");
    expect(
      seen.agent
        .at(-1)
        ?.messages.filter(({ role }) => role === "user")
        .at(-1)?.content,
    ).toContain("必做动作");
  });
});

describe("the same trial in observe", () => {
  const agent: Reply[] = [probe("a"), readDoc("b"), submit("c")];
  const body = (bodies: readonly ChatBody[]) => bodies.map((one) => JSON.stringify(one));

  it("sends the agent's endpoint byte for byte what it sends with validation off", async () => {
    const task = await fruit();
    const off = await scriptedRun({ ...task, scripts: { agent } });
    const observe = await scriptedRun({
      ...task,
      scripts: { agent, process: [REJECT, REJECT], answer: [NO_WAY] },
      profile: {
        process_validation: { ...process_validation, mode: "observe", checkpoint_interval: 2 },
        answer_validation: { ...answer_validation, mode: "observe" },
      },
    });
    expect(body(observe.seen.agent)).toEqual(body(off.seen.agent));
    expect(observe.seen.process).toHaveLength(2);
    expect(observe.seen.answer).toHaveLength(1);
    const checks = fold(observe.events).validation.ended;
    expect(checks.map(({ validator, trigger, verdict, mode }) => [validator, trigger, verdict, mode])).toEqual([
      ["process", "periodic", "rejected", "observe"],
      ["process", "candidate", "rejected", "observe"],
      ["answer", "candidate", "rejected", "observe"],
    ]);
    expect(outcomeOf(observe.events)).toMatchObject({ validation: { process: "observe", answer: "observe" } });
  });
});

describe("a validator that keeps refusing", () => {
  it("does not lose the answer: the last candidate stands when the budget ends", async () => {
    const agent = [probe("a"), submit("b"), submit("c", `${SQL} AND grams > 0`), submit("d", `${SQL} AND grams > 1`)];
    const scripts = { agent, answer: [NO_WAY, NO_WAY] };
    const profile = { answer_validation: enforce.answer_validation };
    const { events, seen } = await scriptedRun({ ...(await fruit()), scripts, profile });
    expect(seen.answer).toHaveLength(2);
    expect(outcomeOf(events)).toMatchObject({ kind: "answered", validation: { process: "off", answer: "exhausted" } });
    expect(fold(events).prediction).toMatch(/prediction\.csv$/);
  });

  it("does not lose it either when the agent gives up", async () => {
    const agent = [probe("a"), submit("b"), textReply("I give up."), textReply("I do.")];
    const profile = {
      answer_validation: enforce.answer_validation,
      agent: { ...profileWith({}).agent, repair_limit: 1 },
    };
    const { events } = await scriptedRun({ ...(await fruit()), scripts: { agent, answer: [NO_WAY] }, profile });
    expect(outcomeOf(events)).toMatchObject({ kind: "answered", forced: false, validation: { answer: "exhausted" } });
    expect(fold(events).prediction).toMatch(/prediction\.csv$/);
  });
});

describe("a validator's endpoint that fails", () => {
  it("releases the trial, with the failure in the log", async () => {
    const broken: Reply = { status: 500, body: { error: { message: "down for the day" } } };
    const { events } = await scriptedRun({
      ...(await fruit()),
      scripts: { agent: [probe("a"), submit("b")], process: [broken] },
      profile: { process_validation: enforce.process_validation },
    });
    const verdict = events.find((event) => event.type === "process-validated");
    expect(verdict).toMatchObject({
      verdict: "released",
      validator_error: expect.stringContaining("down for the day"),
    });
    expect(outcomeOf(events)).toMatchObject({ kind: "answered", validation: { process: "released", answer: "off" } });
  });
});

describe("a trial that is cut off in the middle of a validation", () => {
  const agent: Reply[] = [probe("a"), submit("b"), readDoc("c"), submit("d")];

  it.each([
    ["after the validator's reply, before its verdict", "model-responded", 3],
    ["after the checks by code", "data-queried", 1],
    ["between a rejection and the clearing of its candidate", "process-validated", 1],
  ] as const)("goes on %s with what is in the log", async (_, type, nth) => {
    const scripts = { agent, process: [REJECT, PASS], answer: [FINE] };
    let count = 0;
    const cancelAfter = (seen: string) => seen === type && ++count === nth;
    const task = await fruit();
    const cut = await scriptedRun({ ...task, scripts, profile: enforce, cancelAfter });
    expect(cut.events.at(-1)?.type).toBe("trial-suspended");
    const resumed = await cut.resume();
    expect(outcomeOf(resumed)).toMatchObject({ kind: "answered", validation: { process: "passed", answer: "passed" } });
    expect([cut.seen.agent.length, cut.seen.process.length, cut.seen.answer.length]).toEqual([4, 2, 1]);
    const whole = await scriptedRun({ ...task, scripts, profile: enforce });
    const plain = (events: readonly TrialEvent[]) =>
      types(events).filter((one) => !/^trial-(suspended|resumed)$/.test(one));
    expect(plain(resumed)).toEqual(plain(whole.events));
  });
});
