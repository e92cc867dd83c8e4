import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import { overlayOf } from "../../src/core/overlay.js";
import { fold } from "../../src/core/reduce.js";
import { cli, startCli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { errorReply, type Reply, startModelServer, textReply, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { trialEventsOf } from "../support/run-files.js";
import { type RoleScripts, type ScriptedRun, scriptedRun } from "../support/scripted-run.js";
import { writeTask } from "../support/suite.js";

const PONDS = `# Ponds

Mill Pond holds 40 tonnes and is 3 m deep. Duck Pond
holds 900 kg of water.

## South

Long Pond holds 2 tonnes, it is said. Mill Pond was dug in 1802.
`;
const SQL = "SELECT Pond, Load FROM ponds_records ORDER BY Load DESC";
const FIELDS = ["Pond", "Load"];
const extract = (args: object = {}) => ({
  id: "x",
  name: "extract_structured_doc",
  args: { path: "doc/ponds.md", fields: FIELDS, key: "Pond", ...args },
});
const submit = {
  id: "s",
  name: "submit_tool_result",
  args: { tool_name: "execute_probe_query", tool_args: { queries: [SQL] } },
};
const agent = [toolCallReply([extract()]), toolCallReply([submit])];
const row = (lines: number[], Pond: string, Load?: string) => ({ lines, values: { Pond, ...(Load && { Load }) } });
const rows = (...all: object[]) => textReply(JSON.stringify({ rows: all }));
const HONEST = [
  row([3], "Mill Pond", "40 tonnes"),
  row([3, 4], "Duck Pond", "900 kg"),
  row([8], "Long Pond", "2 tonnes"),
];

async function ponds(text = PONDS) {
  const suite = folderWith();
  const context = { "csv/fruit.csv": "name\napple\n", "doc/ponds.md": text };
  const question = "What does each pond hold?";
  await writeTask(suite, {
    task_id: "task_1",
    question,
    context,
    gold: "Pond,Load\nMill Pond,40\nLong Pond,2\nDuck Pond,0.9\n",
  });
  return { suite, task: "task_1" };
}

const run = async (extractor: RoleScripts["extractor"], more: Parameters<typeof scriptedRun>[0]["profile"] = {}) =>
  scriptedRun({ ...(await ponds()), scripts: { agent, extractor: extractor ?? [] }, profile: more });
const budget = (max_calls: number, max_tokens = 200_000) => {
  const { tools } = profileWith({});
  return { tools: { ...tools, extractor: { max_calls, max_tokens } } };
};

function extractionOf({ events }: Pick<ScriptedRun, "events">) {
  const returned = events.find((event) => event.type === "tool-returned" && event.call_id === "x");
  if (returned?.type !== "tool-returned") throw new Error("the extraction did not return");
  return { ...returned, content: JSON.parse(returned.content) };
}
const typesOf = (events: readonly TrialEvent[]) =>
  events.map((event) => ("purpose" in event ? `${event.type} ${event.purpose}` : event.type));

describe("prose that a model extracts", () => {
  it("becomes a table with lines and one unit, which SQL reads and submits, by one call-model effect in the fold", async () => {
    const { events, seen } = await run([rows(...HONEST)]);
    expect(typesOf(events).slice(1, 6)).toEqual([
      "model-responded agent",
      "extraction-requested",
      "model-responded extractor",
      "tool-returned",
      "model-responded agent",
    ]);
    const { content, table, truncated } = extractionOf({ events });
    expect(table?.rows).toEqual([
      ["Ponds", "3", "Mill Pond", "40"],
      ["Ponds", "3-4", "Duck Pond", "0.9"],
      ["South", "8", "Long Pond", "2"],
    ]);
    expect({ truncated, prose: content.prose }).toMatchObject({
      truncated: false,
      prose: { passages: 1, rows_left_out: 0, unread: [] },
    });
    expect(content.columns[3]).toMatchObject({
      column: "Load",
      unit: "tonnes",
      converted: [{ written: "kg", values: 1 }],
    });
    expect(fold(events).outcome).toMatchObject({ kind: "answered" });
    expect(events.find((event) => event.type === "candidate-submitted")).toMatchObject({ candidate: { rows: 3 } });

    // The extractor is asked for the document alone: neither the question nor the conversation is in its request.
    const [request] = seen.extractor;
    const asked = JSON.stringify(request?.messages);
    expect(asked).toContain("Duck Pond");
    expect(asked).not.toContain("What does each pond hold");
    expect(JSON.stringify(seen.agent)).not.toContain("extraction-requested");
  });

  it("has no row of a lying extractor that its lines do not bear out, and says which were left out", async () => {
    const lies = [
      row([3], "Mill Pond", "41 tonnes"),
      row([8], "Duck Pond", "900 kg"),
      row([7], "Sea", "1"),
      ...HONEST.slice(2),
    ];
    const { content, table } = extractionOf(await run([rows(...lies)]));
    expect(table?.rows.map((cells) => cells[2])).toEqual(["Long Pond"]);
    expect(content.prose).toMatchObject({
      rows_left_out: 3,
      left_out: [
        { lines: "3", why: "not-in-lines", field: "Load", value: "41 tonnes" },
        { lines: "8", why: "not-in-lines", field: "Pond", value: "Duck Pond" },
        { lines: "7", why: "lines-not-in-passage" },
      ],
    });
  });

  it("is asked for once more, with the reason, where the reply is no JSON, and given up after that", async () => {
    const mended = await run([textReply("Three ponds!"), rows(...HONEST)]);
    expect(extractionOf(mended).table?.rows).toHaveLength(3);
    expect(mended.seen.extractor[1]?.messages.at(-1)?.content).toMatch(/<mend>\n.*not a JSON object.*Three ponds!/);

    const unusable = await run([textReply("Three ponds!"), textReply('{"rows": 3}')]);
    expect(unusable.seen.extractor).toHaveLength(2);
    const { ok, error, content } = extractionOf(unusable);
    expect({ ok, error }).toEqual({ ok: false, error: "prose-unread" });
    expect(content.message).toMatch(/could not be used.*rows.*read_doc/);
    expect(overlayOf(fold(unusable.events).trajectory)).toEqual([]);
  });

  it("fails its call, not its trial, where the extractor cannot be reached", async () => {
    const other = { ...submit, args: { ...submit.args, tool_args: { queries: ["SELECT name FROM fruit"] } } };
    const scripts = {
      agent: [toolCallReply([extract()]), toolCallReply([other])],
      extractor: [errorReply(401, "no such key")],
    };
    const { events } = await scriptedRun({ ...(await ponds()), scripts });
    expect(extractionOf({ events })).toMatchObject({ ok: false, error: "prose-unread" });
    expect(extractionOf({ events }).content.message).toMatch(/did not answer \(auth/);
    expect(fold(events).totals.requests).toMatchObject({ auth: 1 });
    expect(fold(events).outcome).toMatchObject({ kind: "answered" });
  });

  it("is counted by purpose in tokens and requests, within the trial's limits", async () => {
    const { totals } = fold((await run([rows(...HONEST)])).events);
    expect(totals.usage["extractor scripted-model"]).toMatchObject({ calls: 1, input_tokens: 100, output_tokens: 20 });
    const { limits } = profileWith({});
    const { events, seen } = await run([rows(...HONEST)], { limits: { ...limits, tokens: 100 } });
    expect(seen.extractor).toEqual([]);
    expect(fold(events).outcome).toEqual({ kind: "limit-reached", limit: "tokens" });
  });

  it("is read by the embedded baseline where the profile gives it the role, without any request", async () => {
    const base = profileWith({});
    const sql = "SELECT Pond, Holds FROM ponds_records";
    const args = { ...submit.args, tool_args: { queries: [sql] } };
    const { events, seen } = await scriptedRun({
      ...(await ponds()),
      scripts: {
        agent: [toolCallReply([extract({ fields: ["Pond", "Holds"] })]), toolCallReply([{ ...submit, args }])],
      },
      profile: { roles: { ...base.roles, extractor: base.model } },
    });
    expect(seen.extractor).toEqual([]);
    expect(fold(events).totals.usage["extractor lexical-1"]).toMatchObject({ calls: 1 });
    expect(extractionOf({ events }).table?.rows).toEqual([
      ["Ponds", "3", "Mill Pond", "40"],
      ["Ponds", "3-4", "Duck Pond", "0.9"],
      ["South", "8", "Long Pond", "2"],
    ]);
    expect(fold(events).outcome).toMatchObject({ kind: "answered" });
  });
});

describe("the extractor's budget", () => {
  const long = `# Ponds\n\n${Array.from({ length: 400 }, (_, n) => `Pond ${n} is a pond that holds ${n + 1} tonnes of water.`).join("\n")}\n`;

  it("is not begun on for a document that needs more calls than there are, and says how to go on", async () => {
    const task = await ponds(long);
    const { events, seen } = await scriptedRun({ ...task, scripts: { agent }, profile: budget(2) });
    expect(seen.extractor).toEqual([]);
    expect(extractionOf({ events })).toMatchObject({ ok: false, error: "extractor-budget" });
    expect(extractionOf({ events }).content.message).toMatch(/take \d calls .* there are 2 left: name fewer blocks/);
    const off = await run([], budget(0));
    expect(extractionOf(off)).toMatchObject({ ok: false, error: "prose-not-extracted" });
  });

  it("that is spent on the way leaves a table of what was read, marked as cut, with the lines that were not", async () => {
    const extractor = (request: { body: { messages: readonly { content: string | null }[] } }): Reply => {
      const found = /"line":(\d+),"text":"(Pond \d+) [^"]*holds (\d+ tonnes)/.exec(
        request.body.messages[1]?.content ?? "",
      );
      return rows(row([Number(found?.[1])], found?.[2] ?? "", found?.[3] ?? ""));
    };
    const task = await ponds(long);
    const { events, seen } = await scriptedRun({ ...task, scripts: { agent, extractor }, profile: budget(20, 200) });
    expect(seen.extractor).toHaveLength(2);
    const { content, table, truncated } = extractionOf({ events });
    expect(table?.rows).toHaveLength(2);
    expect(truncated).toBe(true);
    expect(content.prose.unread).not.toEqual([]);
    expect(content.prose.unread[0]).toMatchObject({ why: expect.stringContaining("240 of the trial's 200 tokens") });
    expect(content.prose.unread.at(-1)).toMatchObject({ last_line: 402 });
  });
});

describe("a trial whose extractor was being asked", () => {
  it("asks again after kill -9 and resume, keeps what was answered, and replays without a model", async () => {
    const folder = folderWith();
    const long = `# Ponds\n\n${"Mill Pond holds 40 tonnes, as everyone around here knows. ".repeat(120)}\n\nDuck Pond holds 900 kg. ${"It is small. ".repeat(280)}\n`;
    const context = { "csv/fruit.csv": "name\napple\n", "doc/ponds.md": long };
    await writeTask(path.join(folder, "suite"), {
      task_id: "task_1",
      context,
      gold: "Pond,Load\nMill Pond,40\nDuck Pond,0.9\n",
    });
    let reach = () => {};
    let release = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked: number[] = [];
    const server = await startModelServer(async ({ body }) => {
      if ((body.tools ?? []).length > 0) {
        return toolCallReply(body.messages.some(({ role }) => role === "tool") ? [submit] : [extract()]);
      }
      const isSecond = !(body.messages[1]?.content ?? "").includes("Mill Pond");
      asked.push(isSecond ? 2 : 1);
      if (!isSecond) return rows(row([3], "Mill Pond", "40 tonnes"));
      reach();
      await released;
      return rows(row([5], "Duck Pond", "900 kg"));
    });
    const places = ["--cache-dir", path.join(folder, "cache")];
    const runFolder = path.join(folder, "runs", "r");
    const { child, done } = startCli([
      ...["run", path.join(folder, "suite"), "-n", "1", "--out", path.join(folder, "runs"), "--run-id", "r", ...places],
      ...[
        "--set",
        "model.provider=openai",
        "--set",
        "model.name=scripted",
        "--set",
        `model.base_url=${server.base_url}`,
      ],
    ]);
    await reached;
    child.kill("SIGKILL");
    await done;
    release();
    const before = await trialEventsOf(runFolder, "task_1", 1);
    expect(typesOf(before).slice(-2)).toEqual(["model-responded extractor", "extraction-requested"]);

    const { code, stdout } = await cli(["resume", runFolder, ...places]);
    await server.close();
    expect({ code, passed: stdout.includes("pass rate 100.0 %") }).toEqual({ code: 0, passed: true });
    expect(stdout).toContain("extractor 2 calls, 200 tokens in, 40 out");
    expect(asked).toEqual([1, 2, 2]);
    const after = await trialEventsOf(runFolder, "task_1", 1);
    expect(after.slice(0, before.length)).toEqual(before);

    const replayed = await cli(["replay", runFolder, "--out", path.join(folder, "replays"), ...places]);
    expect({ code: replayed.code, stdout: replayed.stdout }).toMatchObject({ code: 0 });
    const shown = await cli(["show", runFolder, "task_1#1", "--brief"]);
    expect(shown.stdout).toMatch(/passage 2 of 2 of doc\/ponds\.md \(lines 1 to 5\) for Pond, Load/);
  });
});
