import { describe, expect, it } from "vitest";
import { decide } from "../../src/agent/react.js";
import type { TrialEventBody } from "../../src/core/event.js";
import { textOf } from "../../src/core/message.js";
import { fold } from "../../src/core/reduce.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { profileWith } from "../support/profile.js";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const stateAfter = (...bodies: TrialEventBody[]) => fold(bodies.map((body, seq) => ({ seq, at: at(seq), ...body })));
const profile = profileWith({});
const repaired = { type: "repair-requested", reason: "no-tool-call", message: "call a tool" } as const;
const forced = { type: "answer-forced", message: "submit now" } as const;
const failed = (name: "auth" | "context-window", final: boolean): TrialEventBody => ({
  type: "model-failed",
  purpose: "agent",
  request_digest: "d",
  failure: { class: name, message: "the server's words", status: 400 },
  final,
  ms: 1,
});

describe("react decides", () => {
  it("to ask the model first, with the question, the catalog and every tool", () => {
    const effect = decide(stateAfter(started("How many rows?")), profile);
    expect(effect).toMatchObject({ kind: "call-model", request: { temperature: 0.2, seed: 7 } });
    if (effect.kind !== "call-model") return;
    expect(effect.request.messages.map((message) => message.role)).toEqual(["system", "user"]);
    expect(effect.request.messages[1]?.content).toContain("<question>\nHow many rows?\n</question>");
    expect(effect.request.tools.map((tool) => tool.name)).toEqual(["execute_probe_query", "submit_tool_result"]);
  });

  it("to speak Chinese to a Chinese question", () => {
    const effect = decide(stateAfter({ ...started("有多少个团队？"), language: "zh" }), profile);
    expect(effect.kind === "call-model" && effect.request.messages[0]?.content).toContain("数据分析师");
  });

  it.each([
    ["en", "advice", /Please name the sources/],
    ["en", "line", /must end with a line that lists the sources/],
    ["en", "template", /exactly this form[\s\S]*\nBasis: <.*\nSources: </],
    ["zh", "advice", /请在结论中标注数字的来源/],
    ["zh", "line", /结论末尾必须有一行来源清单/],
    ["zh", "template", /格式一字不差[\s\S]*\n口径：<.*\n来源：</],
  ] as const)("to ask for discipline in %s as the profile says: %s", (language, discipline, text) => {
    const state = stateAfter({ ...started(), language });
    const system = (given: typeof profile) => {
      const effect = decide(state, given);
      const [first] = effect.kind === "call-model" ? effect.request.messages : [];
      return first === undefined ? "" : textOf(first);
    };
    expect(system(profileWith({ discipline }))).toMatch(text);
    expect(system(profileWith({ discipline })).startsWith(system(profile))).toBe(true);
    expect(system(profile)).not.toMatch(text);
  });

  it("to run the calls that have no result yet", () => {
    const state = stateAfter(started(), respond({ calls: ["a", "b"] }), toolReturned("a"));
    expect(decide(state, profile)).toMatchObject({ kind: "call-tools", calls: [{ call: { id: "b" } }] });
  });

  it("to finish as answered once a candidate stands and no call is open", () => {
    const open = stateAfter(started(), respond({ calls: ["a", "b"] }), candidate("a"));
    expect(decide(open, profile).kind).toBe("call-tools");
    const settled = stateAfter(started(), respond({ calls: ["a"] }), candidate("a"));
    expect(decide(settled, profile)).toMatchObject({ kind: "finish", outcome: { kind: "answered", forced: false } });
  });

  it("to keep a candidate when a limit cuts off the other calls of its turn", () => {
    const limit = { type: "limit-reached", limit: "seconds", detail: "cut off" } as const;
    const state = stateAfter(started(), respond({ calls: ["a", "b"] }), candidate("a"), limit);
    expect(decide(state, profile)).toMatchObject({ kind: "finish", outcome: { kind: "answered" } });
    const without = stateAfter(started(), respond({ calls: ["a", "b"] }), toolReturned("a"), limit);
    expect(decide(without, profile)).toMatchObject({
      kind: "finish",
      outcome: { kind: "limit-reached", limit: "seconds" },
    });
  });

  it.each([
    ["no-tool-call", respond({ content: "I think it is 4." })],
    ["empty-reply", respond({ content: "" })],
    ["bad-arguments", respond({ calls: ["a"], args: "{oops" })],
  ])("to ask for a repair after %s", (reason, reply) => {
    expect(decide(stateAfter(started(), reply), profile)).toMatchObject({
      kind: "record",
      event: { type: "repair-requested", reason },
    });
  });

  it("to quote broken arguments in the repair", () => {
    const effect = decide(stateAfter(started(), respond({ calls: ["a"], args: "{oops" })), profile);
    expect(effect.kind === "record" && effect.event.type === "repair-requested" && effect.event.message).toContain(
      "{oops",
    );
  });

  it("to give up as agent-error after repair_limit repairs in a row, at once where it is 0", () => {
    const bad = respond({ content: "hm" });
    const twice = [started(), bad, repaired, bad, repaired, bad];
    expect(decide(stateAfter(...twice), profileWith({ agent: { repair_limit: 3 } }))).toMatchObject({ kind: "record" });
    expect(decide(stateAfter(...twice), profileWith({ agent: { repair_limit: 2 } }))).toMatchObject({
      kind: "finish",
      outcome: { kind: "agent-error", reason: "repair-limit" },
    });
    expect(decide(stateAfter(started(), bad), profileWith({ agent: { repair_limit: 0 } }))).toMatchObject({
      outcome: { kind: "agent-error" },
    });
  });

  it("to end a refused trial without an answer", () => {
    expect(decide(stateAfter(started(), respond({ content: "no", finish: "refusal" })), profile)).toMatchObject({
      outcome: { kind: "no-answer", reason: "refusal" },
    });
  });

  it("to force an answer at max_steps, offer only the submit tool then, and end without an answer if none comes", () => {
    const one = profileWith({ agent: { max_steps: 1 } });
    const used = [started(), respond({ calls: ["a"] }), toolReturned("a")];
    expect(decide(stateAfter(...used), one)).toMatchObject({ kind: "record", event: { type: "answer-forced" } });
    const last = decide(stateAfter(...used, forced), one);
    expect(last.kind === "call-model" && last.request.tools.map((tool) => tool.name)).toEqual(["submit_tool_result"]);
    const asked = [...used, forced];
    expect(decide(stateAfter(...asked, respond({ calls: ["b"] }), candidate("b")), one)).toMatchObject({
      outcome: { kind: "answered", forced: true },
    });
    const failing = toolReturned("b", { ok: false, tool: "submit_tool_result" });
    expect(decide(stateAfter(...asked, respond({ calls: ["b"] }), failing), one)).toMatchObject({
      outcome: { kind: "no-answer", reason: "max-steps" },
    });
    expect(decide(stateAfter(...asked, respond({ content: "sorry" })), one)).toMatchObject({
      outcome: { kind: "no-answer", reason: "max-steps" },
    });
    expect(decide(stateAfter(...asked, respond({ content: "" })), one)).toMatchObject({
      outcome: { kind: "no-answer", reason: "empty" },
    });
  });

  it("to stop at the token limit and at the time limit, with the numbers", () => {
    const used = stateAfter(started(), respond({ calls: ["a"], input: 95 }), toolReturned("a"));
    expect(decide(used, profileWith({ limits: { tokens: 100 } }))).toMatchObject({
      kind: "record",
      event: { type: "limit-reached", limit: "tokens", detail: "100 tokens of 100" },
    });
    expect(decide(used, profileWith({ limits: { seconds: 2 } }))).toMatchObject({ event: { limit: "seconds" } });
    expect(decide(used, profileWith({ limits: { tokens: 101 } })).kind).toBe("call-model");
  });

  it("to go on after a failed request that will be retried, and to end as infra-error after a final one", () => {
    expect(decide(stateAfter(started(), failed("auth", false)), profile).kind).toBe("call-model");
    expect(decide(stateAfter(started(), failed("auth", true)), profile)).toMatchObject({
      outcome: { kind: "infra-error", class: "auth", message: "the server's words" },
    });
  });

  it("to take a full context window for the agent's own limit, not for infrastructure", () => {
    const state = stateAfter(started(), failed("context-window", true));
    const effect = decide(state, profile);
    expect(effect).toMatchObject({ kind: "record", event: { type: "limit-reached", limit: "context-window" } });
    if (effect.kind !== "record") return;
    expect(decide(stateAfter(started(), failed("context-window", true), effect.event), profile)).toMatchObject({
      outcome: { kind: "limit-reached", limit: "context-window" },
    });
  });
});
