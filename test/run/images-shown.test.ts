import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/digest.js";
import type { TrialEvent } from "../../src/core/event.js";
import { fold } from "../../src/core/reduce.js";
import { imagesShown } from "../../src/core/shown-images.js";
import { folderWith } from "../support/folder.js";
import { BLUE_PIXEL, RED_PIXEL } from "../support/images.js";
import { type ChatBody, type Reply, type ScriptedCall, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { type RoleScripts, scriptedRun } from "../support/scripted-run.js";
import { writeTask } from "../support/suite.js";

const FRAME = "video/frame_1.png";
const SQL = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";

/** A task with two frames; `frames` false: with none. */
async function film(frames = true): Promise<{ suite: string; task: string; frame: string }> {
  const suite = folderWith();
  const folder = await writeTask(suite, { task_id: "task_1", gold: "n\n2\n" });
  const video = path.join(folder, "context", "video");
  if (frames) {
    mkdirSync(video);
    writeFileSync(path.join(video, "frame_1.png"), RED_PIXEL);
    writeFileSync(path.join(video, "frame_2.png"), BLUE_PIXEL);
  }
  return { suite, task: "task_1", frame: path.join(video, "frame_1.png") };
}

const call = (id: string, name: string, args: object): ScriptedCall => ({ id, name, args });
const look = (id: string, frame = FRAME) => call(id, "read_context_image", { path: frame });
const receipt = (id: string) =>
  call(id, "record_visual_evidence", { path: FRAME, observation: "one red pixel", claim: "red is in the film" });
const probe = (id: string) => call(id, "execute_probe_query", { queries: [SQL] });
const submit = (id: string) =>
  call(id, "submit_tool_result", { tool_name: "execute_probe_query", tool_args: { queries: [SQL] } });
const turns = (...calls: ScriptedCall[][]): Reply[] => calls.map((one) => toolCallReply(one));

const url = (pixel: Buffer) => `data:image/png;base64,${pixel.toString("base64")}`;
const shows = (body: ChatBody, pixel = RED_PIXEL) => JSON.stringify(body).split(url(pixel)).length - 1;
const outcomeOf = (events: readonly TrialEvent[]) => fold(events).outcome;
const jsonOf = (messages: ChatBody["messages"]) => messages.map((message) => JSON.stringify(message));

describe("an image that the agent reads", () => {
  const agent = turns([probe("a")], [look("b")], [receipt("c")], [submit("d")]);

  it("rides in the tail of exactly the next request, behind a history that holds only its note", async () => {
    const { seen, events } = await scriptedRun({ ...(await film()), scripts: { agent } });
    expect(outcomeOf(events)).toMatchObject({ kind: "answered" });
    expect(seen.agent.map((body) => shows(body))).toEqual([0, 0, 1, 0]);
    const third = seen.agent[2];
    expect(third?.messages.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "text", text: expect.stringContaining(FRAME) },
        { type: "image_url", image_url: { url: url(RED_PIXEL) } },
      ],
    });
    // Without that tail, each request is the beginning of the next one, byte for byte.
    const histories = seen.agent.map(({ messages }, index) => jsonOf(index === 2 ? messages.slice(0, -1) : messages));
    for (const [index, history] of histories.slice(1).entries()) {
      const before = histories[index] ?? [];
      expect(history.slice(0, before.length)).toEqual(before);
      expect(history.length).toBe(before.length + 2);
    }
    expect(seen.agent[3]?.messages.find(({ tool_call_id }) => tool_call_id === "b")?.content).toContain(
      "only this note is left",
    );
  });

  it("stands in the events by path, digest, type and size, without its bytes", async () => {
    const { runFolder, events } = await scriptedRun({ ...(await film()), scripts: { agent } });
    expect(events.find((event) => event.type === "tool-returned" && event.call_id === "b")).toMatchObject({
      image: { path: FRAME, digest: sha256(RED_PIXEL), type: "image/png", bytes: RED_PIXEL.length },
    });
    const log = readFileSync(path.join(runFolder, "trials/main/task_1/1/1/events.jsonl"), "utf8");
    expect(log).not.toContain(RED_PIXEL.toString("base64"));
  });

  it("comes with the others of its turn, in the order of the calls", async () => {
    const scripts = { agent: turns([look("a", "video/frame_2.png"), probe("b"), look("c")], [submit("d")]) };
    const { seen } = await scriptedRun({ ...(await film()), scripts });
    const tail = JSON.stringify(seen.agent[1]?.messages.at(-1));
    expect(tail.indexOf(url(BLUE_PIXEL))).toBeGreaterThan(0);
    expect(tail.indexOf(url(RED_PIXEL))).toBeGreaterThan(tail.indexOf(url(BLUE_PIXEL)));
  });

  it("is left for a later turn where its own has as many as a request may show, and says so; it is no evidence then", async () => {
    const { tools } = profileWith({});
    const agent = turns([look("a", "video/frame_2.png"), look("b")], [look("c")], [submit("d")]);
    const task = await film();
    const { seen, events } = await scriptedRun({
      ...task,
      scripts: { agent },
      profile: { tools: { ...tools, max_images: 1 } },
    });
    expect(seen.agent.map((body) => [shows(body, BLUE_PIXEL), shows(body)])).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
    const refused = events.find((event) => event.type === "tool-returned" && event.call_id === "b");
    expect(refused).toMatchObject({ ok: false, error: "too-many-images" });
    expect(JSON.stringify(refused)).toMatch(/at most one image is shown in one turn.*read this one in a later turn/);
    const shown = imagesShown(fold(events).trajectory).map((image) => image.path);
    expect(shown).toEqual(["video/frame_2.png", FRAME]);
  });

  it("is in the same request of a trial that was cut off after it was read, and goes on", async () => {
    const task = await film();
    const whole = await scriptedRun({ ...task, scripts: { agent } });
    const half = await scriptedRun({
      ...task,
      scripts: { agent },
      cancelAfter: (type, { events }) => type === "tool-returned" && events > 4,
    });
    expect(half.seen.agent).toHaveLength(2);
    const events = await half.resume();
    expect(outcomeOf(events)).toMatchObject({ kind: "answered" });
    expect(half.seen.agent.map(({ messages }) => messages)).toEqual(whole.seen.agent.map(({ messages }) => messages));
    const digests = (all: readonly TrialEvent[]) =>
      all.flatMap((event) => (event.type === "model-responded" ? event.request_digest : []));
    expect(digests(events)).toEqual(digests(whole.events));
  });

  it("that changes before the request goes out ends the trial as trouble of its surroundings, with its name", async () => {
    const task = await film();
    const half = await scriptedRun({
      ...task,
      scripts: { agent },
      cancelAfter: (type, { events }) => {
        if (type !== "tool-returned" || events <= 4) return false;
        writeFileSync(task.frame, BLUE_PIXEL);
        return false;
      },
    });
    expect(outcomeOf(half.events)).toMatchObject({
      kind: "infra-error",
      class: "bad-request",
      message: expect.stringContaining(`${FRAME} changed after it was read`),
    });
    expect(half.seen.agent).toHaveLength(2);
  });

  it("needs a look before its receipt: one in the same turn is refused", async () => {
    const scripts = { agent: turns([look("a"), receipt("b")], [receipt("c")], [submit("d")]) };
    const { events } = await scriptedRun({ ...(await film()), scripts });
    const returned = events.filter((event) => event.type === "tool-returned");
    expect(returned.map(({ call_id, error }) => [call_id, error])).toEqual(
      expect.arrayContaining([
        ["b", "image-not-shown"],
        ["c", null],
      ]),
    );
  });

  it("is no matter of a task without images: neither tools nor words", async () => {
    const { seen } = await scriptedRun({ ...(await film(false)), scripts: { agent: turns([submit("a")]) } });
    expect(JSON.stringify(seen.agent)).not.toMatch(/read_context_image|record_visual_evidence|_video_summary/);
  });
});

describe("strict_visual", () => {
  const { process_validation } = profileWith({});
  const strict = { ...process_validation, mode: "enforce" as const, strict_visual: true, log_packets: true };
  const PASS: Reply = {
    body: {
      id: "1",
      object: "chat.completion",
      created: 0,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: '{"valid": true}' }, finish_reason: "stop" }],
    },
  };
  const validated = (events: readonly TrialEvent[]) => events.filter((event) => event.type === "process-validated");
  const run = async (scripts: RoleScripts, process = strict) =>
    scriptedRun({ ...(await film()), scripts, profile: { process_validation: process } });

  it("rejects by code an answer after an image without a receipt; with the receipt it stands", async () => {
    const agent = turns([probe("a")], [look("b")], [submit("c")], [look("d")], [receipt("e")], [submit("f")]);
    const { events, seen } = await run({ agent, process: [PASS] });
    const [rejected, passed] = validated(events);
    expect(rejected).toMatchObject({
      by: "code",
      verdict: "rejected",
      findings: [{ rule: "image-without-receipt", level: "red", evidence: ["step_2:call_b"] }],
    });
    expect(rejected?.message).toContain("record_visual_evidence");
    expect(passed).toMatchObject({ by: "model", verdict: "passed", findings: [] });
    expect(outcomeOf(events)).toMatchObject({ kind: "answered", validation: { process: "passed" } });
    expect(seen.process).toHaveLength(1);
    expect(JSON.stringify(seen.process)).not.toContain("base64");
    expect(seen.agent.map((body) => shows(body))).toEqual([0, 0, 1, 0, 1, 0]);
  });

  it("takes frame and receipt into the packet, each under its own label, by the frame's path", async () => {
    const { events } = await run({ agent: turns([look("a")], [receipt("b")], [submit("c")]), process: [PASS] });
    const items = validated(events)[0]?.packet?.evidence_items ?? [];
    expect(items.map(({ capabilities, source, observation }) => [capabilities, source, observation.locator])).toEqual([
      [["visual_fact"], { kind: "image", path: FRAME }, { frame_path: FRAME }],
      [["visual_fact_receipt"], { kind: "image", path: FRAME }, { frame_path: FRAME }],
    ]);
    expect(items[1]?.observation.evidence_excerpt).toMatchObject({
      observation: "one red pixel",
      sha256: sha256(RED_PIXEL),
    });
  });

  it("asks for a receipt of every image: another one's does not count", async () => {
    const agent = turns(
      [look("a"), look("b", "video/frame_2.png"), probe("p")],
      [receipt("c")],
      [submit("d")],
      [probe("e")],
      [submit("f")],
    );
    const { events } = await run({ agent, process: [PASS] }, { ...strict, retry_limit: 1 });
    expect(validated(events)[0]?.findings).toMatchObject([
      { rule: "image-without-receipt", detail: expect.stringContaining("frame_2.png") },
    ]);
  });

  it("is what it takes: without it no receipt is asked for", async () => {
    const agent = turns([look("a"), probe("p")], [submit("b")]);
    const { events } = await run({ agent, process: [PASS] }, { ...strict, strict_visual: false });
    expect(validated(events)).toMatchObject([{ verdict: "passed", findings: [] }]);
  });
});
