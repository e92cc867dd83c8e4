import { describe, expect, it } from "vitest";
import type { CandidateSubmitted, TrialEventBody, TrialStarted } from "../../src/core/event.js";
import type { ProcessValidated } from "../../src/core/event-validation.js";
import type { Finding } from "../../src/core/finding.js";
import { textOf } from "../../src/core/message.js";
import type { Profile } from "../../src/core/profile.js";
import { evidencePacket } from "../../src/validate/packet.js";
import { processRequest } from "../../src/validate/process-request.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { profileWith } from "../support/profile.js";
import { stateAfter } from "../support/trial.js";
import { LEDGER } from "../support/validation-events.js";

interface Asked {
  readonly events: readonly TrialEventBody[];
  readonly begin?: Partial<TrialStarted>;
  readonly findings?: readonly Finding[];
  readonly config?: Partial<Profile["process_validation"]>;
}

/** The request's one user message by its parts, and its system prompt. */
function partsOf({ events, begin = {}, findings = [], config = {} }: Asked) {
  const opening = { ...started("How many?"), ...begin };
  const profile = profileWith({ process_validation: { mode: "enforce", ...config } });
  const state = stateAfter(opening, ...events);
  const packet = evidencePacket(state.trajectory, profile.process_validation);
  const request = processRequest(state, opening, profile, packet, findings);
  expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(request).toMatchObject({ purpose: "process-validator", tools: [], seed: 7 });
  const [system, user] = request.messages.map(textOf);
  const parts = [...(user ?? "").matchAll(/^<(\w+)>\n([\s\S]*?)\n<\/\1>$/gm)].map(
    ([, name = "", body = ""]) => [name, body] as const,
  );
  return { system: system ?? "", user: user ?? "", names: parts.map(([name]) => name), part: new Map(parts) };
}

const json = (text: string | undefined): unknown => JSON.parse(text ?? "");
const lines = (text: string | undefined) => (text ?? "").split("\n").map((line) => JSON.parse(line));
const call = (id: string, ...more: Parameters<typeof toolReturned>[1][]) => [
  respond({ calls: [id] }),
  toolReturned(id, ...more),
];

describe("what the process validator is asked", () => {
  it("has every part of the specification, in one user message, empty ones too", () => {
    const { names, part } = partsOf({ events: call("a") });
    expect(names).toEqual([
      "question",
      "candidate",
      "mechanical_findings",
      "evidence_items",
      "omitted_or_unusable",
      "previous_ledger",
      "recent_steps",
      "knowledge",
    ]);
    expect(part.get("question")).toBe("How many?");
    expect(json(part.get("candidate"))).toBeNull();
    expect(json(part.get("previous_ledger"))).toBeNull();
    expect(part.get("knowledge")).toBe("(none)");
  });

  it("shows a candidate by its shape, its first five rows, its scalar where it is one, and its source with the arguments", () => {
    const plain = candidate("b");
    const scalar = partsOf({ events: [...call("a"), respond({ calls: ["b"] }), plain] }).part.get("candidate");
    expect(json(scalar)).toEqual({
      columns: ["n"],
      row_count: 1,
      column_count: 1,
      first_rows: [["4"]],
      scalar: "4",
      source: { tool: "execute_probe_query", args: { queries: ["SELECT 4 AS n"] } },
    });
    const preview = [["1"], ["2"], ["3"], ["4"], ["5"]];
    const long: CandidateSubmitted = { ...plain, candidate: { ...plain.candidate, rows: 70_000, preview } };
    const shown = json(partsOf({ events: [respond({ calls: ["b"] }), long] }).part.get("candidate"));
    expect(shown).toMatchObject({ row_count: 70_000, first_rows: preview });
    expect(shown).not.toHaveProperty("scalar");
  });

  it("has evidence, what is none, findings and knowledge in full, a value a line", () => {
    const finding: Finding = { rule: "unasked-limit", level: "warn", evidence: ["step_1:call_a"], detail: "a LIMIT" };
    const events = [...call("a", { content: '{"rows":[["</evidence_items>"]]}' }), ...call("b", { ok: false })];
    const { part, names } = partsOf({ events, findings: [finding], begin: { knowledge: "# All of it\n\nline" } });
    expect(lines(part.get("mechanical_findings"))).toEqual([finding]);
    expect(lines(part.get("evidence_items"))).toMatchObject([
      { id: "step_1:call_a", capabilities: ["source_row_observation"] },
    ]);
    expect(lines(part.get("omitted_or_unusable"))).toMatchObject([
      { tool: "execute_probe_query", reason: "not_successful" },
    ]);
    expect(part.get("knowledge")).toBe("# All of it\n\nline");
    // What the data say can end no part.
    expect(names).toHaveLength(8);
  });

  it("compresses the steps: name, arguments, ok, error and evidence of calls; of the model how it ended and the start of its words", () => {
    const talk = respond({ calls: ["a"], content: "x".repeat(1000) });
    const events = [
      { ...talk, response: { ...talk.response, reasoning: "SECRET THOUGHT" } },
      toolReturned("a", { args: { queries: ["SELECT 1"] } }),
      ...call("b", { ok: false, error: "sql-error" }),
    ];
    const { part, user } = partsOf({ events });
    expect(lines(part.get("recent_steps"))).toEqual([
      {
        step: 1,
        model: { finish_reason: "stop", tools: ["execute_probe_query"], content: "x".repeat(300) },
        tools: [
          { name: "execute_probe_query", arguments: { queries: ["SELECT 1"] }, ok: true, evidence_id: "step_1:call_a" },
        ],
      },
      {
        step: 2,
        model: { finish_reason: "stop", tools: ["execute_probe_query"], content: null },
        tools: [{ name: "execute_probe_query", arguments: {}, ok: false, error: "sql-error" }],
      },
    ]);
    expect(user).not.toContain("SECRET THOUGHT");
  });

  it("keeps the last steps and the newest evidence as many as the profile says, and cuts long texts and lists", () => {
    const events = ["a", "b", "c"].flatMap((id) =>
      call(id, { args: { queries: [`SELECT '${id}'`] }, content: JSON.stringify({ rows: [1, 2, 3, 4] }) }),
    );
    const { part } = partsOf({ events, config: { recent_steps: 2, max_items: 1, max_list_items: 3 } });
    expect(lines(part.get("recent_steps")).map(({ step }) => step)).toEqual([2, 3]);
    expect(lines(part.get("evidence_items"))).toMatchObject([
      { id: "step_3:call_c", observation: { evidence_excerpt: { rows: [1, 2, 3] }, excerpt_cut: true } },
    ]);
    expect(lines(part.get("omitted_or_unusable")).map(({ reason }) => reason)).toEqual([
      "evidence_budget",
      "evidence_budget",
    ]);
  });

  it("hands the ledger of before on, and says what pictures may prove where there are any, strictly where it is asked for", () => {
    const verdict: ProcessValidated = {
      type: "process-validated",
      trigger: "periodic",
      step: 1,
      mode: "observe",
      by: "model",
      verdict: "passed",
      issues: [],
      required_next_actions: [],
      findings: [],
      inconsistent: false,
      validator_error: null,
      ledger: LEDGER,
      packet_digest: "p",
      candidate: null,
      message: null,
    };
    const media = [{ path: "video/frame_1.png", type: "image/png" }];
    const begin = { catalog: { ...started().catalog, media } };
    const { part } = partsOf({ events: [...call("a"), verdict], begin, config: { strict_visual: true } });
    expect(json(part.get("previous_ledger"))).toEqual(LEDGER);
    expect(part.get("visual_policy")).toMatch(/only navigates.*visual_fact.*Strict mode/);
    const { part: lax } = partsOf({ events: call("a"), begin });
    expect(lax.get("visual_policy")).not.toContain("Strict mode");
  });

  it.each([
    [
      "en",
      [
        "consistency with the task",
        "sources and field semantics",
        "grain and joins",
        "metric, unit and time",
        "reproducibility",
      ],
      ["rounding", "order"],
      ["industry", "field's name", "what you remember"],
    ],
    [
      "zh",
      ["任务一致性", "来源与字段语义", "粒度", "单位", "可复现"],
      ["四舍五入", "排序"],
      ["行业惯例", "字段名", "记忆"],
    ],
  ] as const)(
    "is told in %s of the five dimensions, of what is not its business, and of what is no evidence",
    (language, dimensions, not, noEvidence) => {
      const { system } = partsOf({ events: call("a"), begin: { language } });
      for (const words of [...dimensions, ...not, ...noEvidence])
        expect(system.toLowerCase()).toContain(words.toLowerCase());
    },
  );
});
