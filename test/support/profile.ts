import type { Profile } from "../../src/core/profile.js";

const PLAN = { max_rounds: 12, max_replans: 3, max_tool_calls: 5, compress_outputs: false };

/** The defaults of a profile with the embedded model; a test overrides what it is about. */
export function profileWith(more: {
  agent?: Partial<Profile["agent"]>;
  limits?: Partial<Profile["limits"]>;
  model?: Partial<Profile["model"]>;
  roles?: Partial<Profile["roles"]>;
  scoring?: Partial<Profile["scoring"]>;
  gate?: Partial<Profile["gate"]>;
  process_validation?: Partial<Profile["process_validation"]>;
  answer_validation?: Partial<Profile["answer_validation"]>;
  claims?: Partial<Profile["claims"]>;
  verification?: Partial<Profile["verification"]>;
  discipline?: Profile["discipline"];
  pause?: Profile["pause"];
}): Profile {
  return {
    name: "test",
    model: {
      provider: "lexical",
      name: "lexical-1",
      temperature: 0.2,
      max_output_tokens: null,
      base_url: null,
      api_key_env: null,
      timeout_seconds: 60,
      proxy: null,
      ca_file: null,
      headers: {},
      extra_body: {},
      send_seed: true,
      reasoning_history: 0,
      cache_responses: false,
      requests_per_minute: null,
      tokens_per_minute: null,
      retries: { max: 4, min_wait_ms: 500, max_wait_ms: 30_000 },
      price: null,
      ...more.model,
    },
    roles: {
      process_validator: null,
      answer_validator: null,
      verifier: null,
      planner: null,
      executor: null,
      finalizer: null,
      condenser: null,
      extractor: null,
      ...more.roles,
    },
    process_validation: {
      mode: "off",
      checkpoint_interval: 12,
      retry_limit: 1,
      recent_steps: 200,
      max_items: 100,
      max_string_tokens: 10_000,
      max_list_items: 200,
      on_error: "release",
      mechanical: "enforce",
      log_packets: false,
      strict_visual: false,
      ...more.process_validation,
    },
    answer_validation: { mode: "off", retry_limit: 2, on_error: "release", ...more.answer_validation },
    claims: { mode: "off", checks: null, ...more.claims },
    verification: { min_characters: 20, passed_at: 0.8, local_at: 0.5, instructions: null, ...more.verification },
    discipline: more.discipline ?? "none",
    agent: { strategy: "react", max_steps: 32, repair_limit: 3, plan: PLAN, command: null, ...more.agent },
    limits: { seconds: 600, tokens: null, cost_usd: null, run_seconds: null, ...more.limits },
    repeats: 3,
    concurrency: 4,
    seed: 0,
    tools: {
      max_result_characters: 20_000,
      query_timeout_seconds: 30,
      max_answer_rows: 1_000_000,
      max_images: 8,
      python: { sandbox: "auto", timeout_seconds: 60, memory_mb: 2048 },
      extractor: { max_calls: 20, max_tokens: 200_000 },
    },
    scoring: {
      primary: "kdd-columns",
      scorers: ["kdd-columns"],
      penalty: 0.1,
      names: "accept",
      thousands: false,
      pass_min_score: null,
      ...more.scoring,
    },
    pause: more.pause ?? [],
    gate: { min_pass: null, max_infra: 0, must_pass: [], ...more.gate },
  };
}
