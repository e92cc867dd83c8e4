import { describe, expect, it, vi } from "vitest";
import type { Message } from "../../src/core/message.js";
import { checkModel, createModel } from "../../src/models/create-model.js";
import { textReply } from "../support/model-server.js";
import { usageLines } from "../support/usage-lines.js";
import { ask, CANARY, clock, modelConfig, modelRequest, respond, serve, TOOLS } from "./ask.js";

const bodyOf = async (...more: Parameters<typeof ask> extends [unknown, ...infer Rest] ? Rest : never) =>
  (await ask([textReply("a")], ...more)).server.requests[0]?.body;

describe("a request", () => {
  it("is a chat completion with the messages, the tools and the settings, and nothing else", async () => {
    expect(await bodyOf()).toEqual({
      model: "asked-model",
      messages: [
        { role: "system", content: "Answer with tools." },
        { role: "user", content: "有多少行？" },
      ],
      tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
      temperature: 0.2,
      seed: 7,
    });
  });

  it("carries calls and their results as the API has them", async () => {
    const calls = [{ id: "c1", name: "list_context", arguments: '{"a" : 1}' }];
    const messages: readonly Message[] = [
      { role: "assistant", content: null, tool_calls: calls },
      { role: "tool", tool_call_id: "c1", content: "[]" },
      { role: "assistant", content: null, tool_calls: [] },
    ];
    expect((await bodyOf({ request: { messages } }))?.messages).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "list_context", arguments: '{"a" : 1}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "[]" },
      { role: "assistant", content: "" },
    ]);
  });

  it("leaves out what is null, empty, or not wanted by the profile", async () => {
    const request = { temperature: null, tools: [], max_output_tokens: null };
    const body = await bodyOf({ request, config: { send_seed: false } });
    expect(Object.keys(body ?? {})).toEqual(["model", "messages"]);
    expect(await bodyOf({ request: { seed: null } })).not.toHaveProperty("seed");
    expect(await bodyOf({ request: { max_output_tokens: 500 } })).toMatchObject({ max_tokens: 500 });
  });

  it("has extra_body on top of everything", async () => {
    const extra_body = { reasoning_effort: "low", temperature: 1, chat_template_kwargs: { enable_thinking: false } };
    expect(await bodyOf({ config: { extra_body } })).toMatchObject(extra_body);
  });

  it("goes to /chat/completions below the base URL, with or without a slash at its end", async () => {
    const server = await serve(() => textReply("a"));
    for (const base_url of [server.base_url, `${server.base_url}/`]) {
      await respond(createModel(modelConfig({ base_url }), { MODEL_API_KEY: CANARY }, clock), modelRequest());
    }
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
  });
});

describe("a request's headers", () => {
  const headersWith = async (config: Parameters<typeof modelConfig>[0], env: Record<string, string> = {}) => {
    const server = await serve([textReply("a")]);
    await respond(createModel(modelConfig({ base_url: server.base_url, ...config }), env, clock), modelRequest());
    return server.requests[0]?.headers ?? {};
  };

  it("are the key, the profile's own, and what HTTP needs", async () => {
    const headers = await headersWith({ headers: { "X-Project": "p" } }, { MODEL_API_KEY: CANARY });
    expect(headers).toMatchObject({
      authorization: `Bearer ${CANARY}`,
      "x-project": "p",
      "content-type": "application/json",
    });
    expect(Object.keys(headers).sort()).toEqual([
      "accept",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "x-project",
    ]);
  });

  it("hold no key where the profile names none", async () => {
    expect(await headersWith({ api_key_env: null })).not.toHaveProperty("authorization");
  });

  it("take secrets by reference, in another header than the usual one as well", async () => {
    const config = { api_key_env: null, headers: { "api-key": `\${KEY}`, Authorization: `Token \${KEY}` } };
    expect(await headersWith(config, { KEY: CANARY })).toMatchObject({
      "api-key": CANARY,
      authorization: `Token ${CANARY}`,
    });
  });

  it("take nothing from variables that the profile does not name, and nothing is printed", async () => {
    for (const name of ["OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"])
      vi.stubEnv(name, CANARY);
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", `X-Leak: ${CANARY}`);
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9/leak");
    vi.stubEnv("OPENAI_LOG", "debug");
    const printed = (["debug", "info", "warn", "error"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    );
    try {
      expect(JSON.stringify(await headersWith({ api_key_env: null }))).not.toContain("canary");
      for (const method of printed) expect(method).not.toHaveBeenCalled();
    } finally {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    }
  });
});

describe("a secret by reference", () => {
  it("is put into extra_body at any depth and scrubbed from what comes back", async () => {
    const server = await serve(({ body }) => textReply(JSON.stringify(body)));
    const extra_body = { auth: [{ token: `\${TOKEN}` }, 5, null] };
    const config = modelConfig({ base_url: server.base_url, api_key_env: null, extra_body });
    const { reply } = await respond(createModel(config, { TOKEN: CANARY }, clock), modelRequest());
    expect(server.requests[0]?.body).toMatchObject({ auth: [{ token: CANARY }, 5, null] });
    expect(reply.ok).toBe(true);
    expect(JSON.stringify(reply)).not.toContain("canary");
  });

  it("that everyday words are used for is left in what a model says", async () => {
    const server = await serve([textReply("There is none.")]);
    const model = createModel(modelConfig({ base_url: server.base_url }), { MODEL_API_KEY: "none" }, clock);
    expect((await respond(model, modelRequest())).reply).toMatchObject({ response: { content: "There is none." } });
  });
});

describe("a model that lacks a variable", () => {
  it("is an error before anything runs, each variable named", async () => {
    const config = modelConfig({ headers: { "X-Token": `\${TOKEN}` }, extra_body: { user: `\${USER_NAME}` } });
    const expected = [
      "model.api_key_env: the environment variable MODEL_API_KEY is not set: set it to the key, or set api_key_env to null for an endpoint without keys",
      "model.headers.X-Token: the environment variable TOKEN is not set",
      "model.extra_body.user: the environment variable USER_NAME is not set",
    ];
    expect(await usageLines(() => checkModel(config, { MODEL_API_KEY: "" }))).toEqual(expected);
    expect(await usageLines(() => createModel(config, {}, clock))).toEqual(expected);
  });

  it("may be the embedded baseline: it needs none", () => {
    expect(() => checkModel(modelConfig({ provider: "lexical" }), {})).not.toThrow();
  });
});
