import type {
  CandidateSubmitted,
  ModelResponded,
  ToolReturned,
  TrialResumed,
  TrialStarted,
} from "../../src/core/event.js";

/** Event bodies with as little in them as a test wants to say. */

export function started(question = "How many?"): TrialStarted {
  return {
    type: "trial-started",
    trial: { arm: "main", task_id: "task_1", k: 1 },
    attempt: 1,
    seed: 7,
    question,
    catalog: { tables: [], relationships: [], documents: [], media: [], uncertainties: [] },
    knowledge: null,
    tools: [
      { name: "execute_probe_query", description: "SQL", parameters: { type: "object" } },
      { name: "submit_tool_result", description: "submit", parameters: { type: "object" } },
    ],
    absent_tools: [],
    prompts: "1",
    language: "en",
    context_digest: "c",
    claim_checks: [],
  };
}

export function resumed(): TrialResumed {
  return { type: "trial-resumed" };
}

interface Reply {
  readonly calls?: readonly string[];
  readonly args?: string;
  readonly tool?: string;
  readonly content?: string | null;
  readonly finish?: string;
  readonly input?: number | null;
}

export function respond(reply: Reply): ModelResponded {
  return {
    type: "model-responded",
    purpose: "agent",
    request_digest: "d",
    request_bytes: 100,
    response: {
      model: "m",
      content: reply.content ?? null,
      reasoning: null,
      tool_calls: (reply.calls ?? []).map((id) => ({
        id,
        name: reply.tool ?? "execute_probe_query",
        arguments: reply.args ?? "{}",
      })),
      finish_reason: reply.finish ?? "stop",
      usage: {
        input_tokens: reply.input === undefined ? 10 : reply.input,
        output_tokens: 5,
        cached_tokens: null,
        reasoning_tokens: null,
      },
      cost_usd: null,
    },
    ms: 20,
  };
}

export function toolReturned(id: string, more: Partial<ToolReturned> = {}): ToolReturned {
  return {
    type: "tool-returned",
    call_id: id,
    tool: "execute_probe_query",
    args: {},
    ok: true,
    content: `result of ${id}`,
    truncated: false,
    error: more.ok === false ? "sql-error" : null,
    ms: 10,
    ...more,
  };
}

export function candidate(id: string, conclusion: string | null = null): CandidateSubmitted {
  return {
    type: "candidate-submitted",
    call_id: id,
    tool: "submit_tool_result",
    args: {},
    content: "submitted",
    candidate: {
      file: "candidate-1.csv",
      columns: ["n"],
      rows: 1,
      signature: "s",
      preview: [["4"]],
      structure: [
        {
          type: "INTEGER",
          nulls: 0,
          distinct: 1,
          examples: ["4"],
          percent_cells: 0,
          loose_date_cells: 0,
          same_as: null,
        },
      ],
    },
    source: { tool: "execute_probe_query", args: { queries: ["SELECT 4 AS n"] } },
    conclusion,
    ms: 10,
  };
}
