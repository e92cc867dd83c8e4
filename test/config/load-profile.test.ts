import path from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import { loadProfile, profileDigest } from "../../src/config/load-profile.js";
import type { profileSchema } from "../../src/config/profile-schema.js";
import type { Profile } from "../../src/core/profile.js";
import { folderWith } from "../support/folder.js";
import { usageLines } from "../support/usage-lines.js";

const MODEL = "model: { provider: lexical, name: lexical }\n";

interface Given {
  readonly overrides?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Loads `x.yaml` of a folder with these files. */
function load(files: Record<string, string>, { overrides = [], env = {} }: Given = {}): Promise<Profile> {
  return loadProfile({ file: path.join(folderWith(files), "x.yaml"), overrides, env });
}

/** The error lines of a profile, with the folder cut off. */
async function linesOf(files: Record<string, string> | string, given: Given = {}): Promise<readonly string[]> {
  const folder = folderWith(typeof files === "string" ? { "x.yaml": files } : files);
  const { overrides = [], env = {} } = given;
  const lines = await usageLines(() => loadProfile({ file: path.join(folder, "x.yaml"), overrides, env }));
  return lines.map((line) => line.replaceAll(`${folder}/`, ""));
}

describe("a profile", () => {
  it("has every key, with the documented defaults, from the packaged profile that needs no key", async () => {
    const profile = await loadProfile({ file: null, overrides: [], env: {} });
    expect(profile).toEqual({
      name: "builtin",
      model: {
        provider: "lexical",
        name: "lexical",
        temperature: 0.2,
        max_output_tokens: null,
        base_url: null,
        api_key_env: null,
        timeout_seconds: 300,
        proxy: null,
        ca_file: null,
        headers: {},
        extra_body: {},
        send_seed: true,
        reasoning_history: 0,
        cache_responses: false,
        retries: { max: 4, min_wait_ms: 500, max_wait_ms: 60_000 },
        requests_per_minute: null,
        tokens_per_minute: null,
        price: null,
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
      },
      agent: {
        strategy: "react",
        max_steps: 32,
        repair_limit: 3,
        plan: { max_rounds: 12, max_replans: 3, max_tool_calls: 5, compress_outputs: false },
        command: null,
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
      },
      answer_validation: { mode: "off", retry_limit: 2, on_error: "release" },
      claims: { mode: "off", checks: null },
      verification: { min_characters: 20, passed_at: 0.8, local_at: 0.5, instructions: null },
      discipline: "none",
      limits: { seconds: 600, tokens: null, cost_usd: null, run_seconds: null },
      repeats: 3,
      concurrency: 4,
      seed: 0,
      tools: {
        max_result_characters: 20_000,
        query_timeout_seconds: 30,
        max_answer_rows: 100_000,
        max_images: 8,
        extractor: { max_calls: 20, max_tokens: 200_000 },
        python: { sandbox: "auto", timeout_seconds: 60, memory_mb: 2048 },
      },
      scoring: {
        primary: "kdd-columns",
        scorers: ["kdd-columns", "exact-table", "cell-f1"],
        penalty: 0.1,
        names: "accept",
        thousands: false,
        pass_min_score: null,
      },
      pause: [],
      gate: { min_pass: null, max_infra: 0, must_pass: [] },
    });
  });

  it("is exactly the Profile type: the schema knows no key more and no key less", () => {
    expectTypeOf<z.output<typeof profileSchema>>().toExtend<Profile>();
    expectTypeOf<KeysAtEveryDepth<z.output<typeof profileSchema>>>().toEqualTypeOf<KeysAtEveryDepth<Profile>>();
  });

  it("has packaged profiles that validate and that observe, both without a key", async () => {
    const validated = await loadProfile({ file: "validated", overrides: [], env: {} });
    expect(validated).toMatchObject({
      name: "validated",
      model: { provider: "lexical" },
      process_validation: { mode: "enforce", mechanical: "enforce" },
      answer_validation: { mode: "enforce" },
    });
    const observe = await loadProfile({ file: "observe", overrides: [], env: {} });
    expect(observe).toMatchObject({ process_validation: { mode: "observe" }, answer_validation: { mode: "observe" } });
    const { name: _name, ...packaged } = validated;
    const modes = ["process_validation.mode=enforce", "answer_validation.mode=enforce"];
    expect(await loadProfile({ file: null, overrides: modes, env: {} })).toMatchObject(packaged);
  });

  it("gives a role a model of its own, with a model's defaults and errors", async () => {
    const yaml = `${MODEL}roles:\n  process_validator: { provider: openai, name: auditor, base_url: "http://127.0.0.1:1/v1" }`;
    const { roles } = await load({ "x.yaml": yaml });
    expect(roles).toMatchObject({ process_validator: { name: "auditor", temperature: 0.2 }, answer_validator: null });
    expect(await linesOf(`${MODEL}roles:\n  process_validatr: null`)).toEqual([
      expect.stringContaining('did you mean "process_validator"'),
    ]);
    expect(await linesOf(`${MODEL}process_validation:\n  chekpoint_interval: 3`)).toEqual([
      expect.stringContaining('did you mean "checkpoint_interval"'),
    ]);
  });

  it("reads the packaged profile for compatible endpoints from MODEL_* variables", async () => {
    const env = { MODEL_NAME: "qwen3", MODEL_API_URL: "http://127.0.0.1:8000/v1", MODEL_API_KEY: "canary-key" };
    const profile = await loadProfile({ file: "openai", overrides: [], env });
    expect(profile.model).toMatchObject({ provider: "openai", name: "qwen3", base_url: env.MODEL_API_URL });
    expect(JSON.stringify(profile)).not.toContain("canary-key");
  });

  it("is called like its file unless it says otherwise, whatever it extends", async () => {
    expect((await load({ "x.yaml": MODEL })).name).toBe("x");
    expect((await load({ "x.yaml": `name: mine\n${MODEL}` })).name).toBe("mine");
    expect((await load({ "x.yaml": "extends: y.yaml", "y.yaml": `name: theirs\n${MODEL}` })).name).toBe("x");
  });

  it("may be an empty file that only flags fill", async () => {
    const profile = await load({ "x.yaml": "" }, { overrides: ["model={provider: lexical, name: a}", "repeats=5"] });
    expect(profile).toMatchObject({ repeats: 5, model: { name: "a" } });
  });
});

describe("an unknown key", () => {
  it.each([
    [`${MODEL}agent:\n  max_step: 3\n`, ['x.yaml:3: unknown key "max_step" in agent; did you mean "max_steps"?']],
    [`repaets: 3\n${MODEL}`, ['x.yaml:1: unknown key "repaets"; did you mean "repeats"?']],
    [`${MODEL}max_steps: 3\n`, ['x.yaml:2: unknown key "max_steps"; it belongs in agent']],
    [
      `${MODEL}limits:\n  banana: 3\n`,
      ['x.yaml:3: unknown key "banana" in limits; known are seconds, tokens, cost_usd, run_seconds'],
    ],
    [
      "model:\n  provider: lexical\n  name: a\n  price:\n    input: 1\n    output: 1\n    outptu: 2\n",
      ['x.yaml:7: unknown key "outptu" in model.price; did you mean "output"?'],
    ],
    [
      "model: { provider: lexical, name: a, max_tokens: 5 }",
      [expect.stringMatching(/^x.yaml:1: unknown key "max_tokens" in model; known are .*max_output_tokens/)],
    ],
    [`${MODEL}limits: { token: 5 }`, ['x.yaml:2: unknown key "token" in limits; did you mean "tokens"?']],
    [`${MODEL}"__proto__": { a: 1 }\n`, [expect.stringContaining('x.yaml:2: unknown key "__proto__"')]],
  ])("is an error with file, line and the nearest known one: %j", async (text, expected) => {
    expect(await linesOf(text)).toEqual(expected);
  });
});

describe("a wrong value", () => {
  it.each([
    ["repeats: 0", "x.yaml:1: repeats must be a whole number of at least 1, not 0"],
    ["repeats: 2.5", "x.yaml:1: repeats must be a whole number of at least 1, not 2.5"],
    ["repeats: three", 'x.yaml:1: repeats must be a whole number of at least 1, not "three"'],
    ['concurrency: "4"', 'x.yaml:1: concurrency must be a whole number of at least 1, not "4"'],
    ["limits:\n  tokens: -1", "x.yaml:2: limits.tokens must be a whole number of at least 1, or null, not -1"],
    ["limits: 600", "x.yaml:1: limits must be a section of keys, not 600"],
    ["limits: { seconds: 0 }", "x.yaml:1: limits.seconds must be a number of seconds above 0, not 0"],
    ["limits: { seconds: .inf }", "x.yaml:1: limits.seconds must be a number of seconds above 0, not Infinity"],
    [
      "agent: { strategy: raect }",
      'x.yaml:1: agent.strategy must be one of react, plan, command, not "raect"; did you mean "react"?',
    ],
    ["scoring: { thousands: yes }", 'x.yaml:1: scoring.thousands must be true or false, not "yes"'],
    ["scoring: { scorers: [] }", "x.yaml:1: scoring.primary is missing: give one of scoring.scorers"],
    [
      "scoring:\n  primary: text\n  scorers:\n    - cell-f1\n    - exact",
      'x.yaml:5: scoring.scorers.1 must be one of kdd-columns, exact-table, cell-f1, text, claims, line-format, not "exact"',
    ],
    [
      "claims: { mode: enforce }",
      "x.yaml:1: claims.checks is missing: give a checks file's path where claims.mode is not off",
    ],
    [
      "discipline: advise",
      'x.yaml:1: discipline must be one of none, advice, line, template, not "advise"; did you mean "advice"?',
    ],
    [
      "agent: { strategy: plan }",
      "x.yaml:1: agent.max_steps is missing: give at least 6 × agent.plan.max_rounds where agent.strategy is plan (96 for the default 12 leaves room), so that the plan's own budgets end a trial",
    ],
    [
      "pause: [after-plan]",
      "x.yaml:1: pause must be an empty list where agent.strategy is not plan: nothing else pauses, not a list",
    ],
    ["gate: { min_pass: 60 }", "x.yaml:1: gate.min_pass must be a number from 0 to 1, or null, not 60"],
  ])("is an error with file, line and what is allowed: %j", async (text, expected) => {
    expect(await linesOf(`${text}\n${MODEL}`)).toEqual([expected]);
  });

  it.each([
    ["model: { name: a }", "x.yaml:1: model.provider is missing: give one of lexical, openai, custom, none"],
    ["model: { provider: openai, name: a }", /^x.yaml:1: model.base_url is missing: give an http or https URL/],
    ["repeats: 3", "x.yaml:1: model is missing: give a section of keys"],
  ])("may be a missing one: %j", async (text, expected) => {
    const [line] = await linesOf(text);
    if (expected instanceof RegExp) expect(line).toMatch(expected);
    else expect(line).toBe(expected);
  });

  it("may be several missing ones of one section", async () => {
    expect(await linesOf("model: { temperature: 0 }")).toEqual([
      "x.yaml:1: model.provider is missing: give one of lexical, openai, custom, none",
      "x.yaml:1: model.name is missing: give the model's name",
    ]);
  });

  it("never hides another: all errors come at once, in the order of the lines", async () => {
    const text = `repeats: 0\n${MODEL}agent:\n  max_step: 3\n  repair_limit: x\nseed: -1\n`;
    expect((await linesOf(text)).map((line) => line.slice(0, 8))).toEqual([
      "x.yaml:1",
      "x.yaml:4",
      "x.yaml:5",
      "x.yaml:6",
    ]);
  });
});

describe("broken YAML", () => {
  it("is an error with file and line", async () => {
    const [line] = await linesOf(`${MODEL}agent: { max_steps: 3\nlimits: 4`);
    expect(line).toMatch(/^x\.yaml:3: /);
  });

  it("may be a key that stands there twice", async () => {
    expect(await linesOf(`${MODEL}repeats: 3\nrepeats: 4`)).toEqual(["x.yaml:3: Map keys must be unique"]);
  });

  it("may be a list, or an alias that leads in a circle", async () => {
    expect(await linesOf("- a")).toEqual(['x.yaml:1: a profile is a map of keys, for example "repeats: 3"']);
    expect(await linesOf("model: &m\n  headers: *m")).toEqual(["x.yaml:2: the alias *m leads to itself or nowhere"]);
  });
});

describe("extends", () => {
  it("merges maps key by key at every depth and replaces all else", async () => {
    const profile = await load({
      "x.yaml": "extends: base/y.yaml\nagent: { max_steps: 8 }\nscoring: { scorers: [kdd-columns] }",
      "base/y.yaml": "extends: z.yml\nagent: { repair_limit: 1 }\nrepeats: 5",
      "base/z.yml": `${MODEL}agent: { max_steps: 99, repair_limit: 9 }\nrepeats: 7`,
    });
    expect(profile.agent).toMatchObject({ strategy: "react", max_steps: 8, repair_limit: 1 });
    expect(profile).toMatchObject({ repeats: 5, scoring: { scorers: ["kdd-columns"] } });
  });

  it("takes the name of a packaged profile", async () => {
    expect((await load({ "x.yaml": "extends: builtin\nrepeats: 1" })).model.provider).toBe("lexical");
    expect(await linesOf("extends: openia")).toEqual([
      'x.yaml:1: extends "openia": no packaged profile has that name (a path ends in .yaml); did you mean "openai"?',
    ]);
  });

  it("points errors at the file that holds the key", async () => {
    const lines = await linesOf({
      "x.yaml": "extends: base/y.yaml\nrepeats: 0",
      "base/y.yaml": `${MODEL}agent:\n  max_steps: 0`,
    });
    expect(lines).toEqual([
      "base/y.yaml:3: agent.max_steps must be a whole number of at least 1, not 0",
      "x.yaml:2: repeats must be a whole number of at least 1, not 0",
    ]);
  });

  it("is an error where files extend each other in a circle, or the file is not there", async () => {
    expect(await linesOf({ "x.yaml": "\nextends: y.yaml", "y.yaml": "extends: ./x.yaml" })).toEqual([
      "y.yaml:1: profiles extend each other in a circle: x.yaml → y.yaml → x.yaml",
    ]);
    expect(await linesOf("\nextends: gone.yaml")).toEqual(["x.yaml:2: extends gone.yaml: no such file"]);
    expect(await linesOf("extends: [a]")).toEqual([
      "x.yaml:1: extends must be a path relative to this file, or the name of a packaged profile",
    ]);
  });
});

describe("an environment variable in a profile", () => {
  it("is put in, with a default where it is not set or empty", async () => {
    const text = `model: { provider: lexical, name: "\${NAME}-\${KIND:-small}" }\nrepeats: \${N:-7}\nseed: \${SEED}`;
    const profile = await load({ "x.yaml": text }, { env: { NAME: "m", KIND: "", SEED: "12" } });
    expect(profile).toMatchObject({ model: { name: "m-small" }, repeats: 7, seed: 12 });
  });

  it("stays text where the value is quoted", async () => {
    const text = `model: { provider: lexical, name: "\${NAME}" }`;
    expect((await load({ "x.yaml": text }, { env: { NAME: "123" } })).model.name).toBe("123");
  });

  it("that is not set is an error with file and line, said once", async () => {
    expect(await linesOf(`${MODEL}repeats: \${N}\nseed: \${S}`)).toEqual([
      "x.yaml:2: the environment variable N is not set",
      "x.yaml:3: the environment variable S is not set",
    ]);
    expect(await linesOf(`${MODEL}name: \${a-b}`)).toEqual([
      `x.yaml:2: "\${a-b}" is no reference to a variable: write \${NAME} or \${NAME:-default}`,
    ]);
  });

  it("need not be set where a higher layer or a flag replaces the value", async () => {
    const files = { "x.yaml": "extends: y.yaml\nseed: 1", "y.yaml": `${MODEL}seed: \${UNSET}\nrepeats: \${UNSET_TOO}` };
    expect(await load(files, { overrides: ["repeats=2"] })).toMatchObject({ seed: 1, repeats: 2 });
  });

  it("stays a reference in headers, extra_body and proxy, whose values may be secrets", async () => {
    const text = `model:\n  provider: lexical\n  name: a\n  headers: { X-Token: "\${TOKEN}" }\n  proxy: \${TOKEN}`;
    const profile = await load({ "x.yaml": text }, { env: { TOKEN: "canary-token" } });
    expect(profile.model.proxy).toBe(`\${TOKEN}`);
    expect(profile.model.headers).toEqual({ "X-Token": `\${TOKEN}` });
    expect(await linesOf(text)).toEqual([
      "x.yaml:4: the environment variable TOKEN is not set",
      "x.yaml:5: the environment variable TOKEN is not set",
    ]);
  });
});

describe("--set", () => {
  it("wins over files, the last one over those before it, and reads its value as YAML", async () => {
    const overrides = [
      "agent.max_steps=4",
      "agent.max_steps=6",
      "scoring.scorers=[kdd-columns, text]",
      "limits.tokens=null",
    ];
    const profile = await load({ "x.yaml": `${MODEL}agent: { max_steps: 1 }\nlimits: { tokens: 5 }` }, { overrides });
    expect(profile).toMatchObject({ agent: { max_steps: 6 }, limits: { tokens: null } });
    expect(profile.scoring.scorers).toEqual(["kdd-columns", "text"]);
  });

  it("makes the sections on the way", async () => {
    const overrides = ["model.price.input=1", "model.price.output=2", "model.headers.X-A=b=c"];
    const { model } = await load({ "x.yaml": MODEL }, { overrides });
    expect(model.price).toEqual({ input: 1, output: 2, cached_input: null });
    expect(model.headers).toEqual({ "X-A": "b=c" });
  });

  it.each([
    ["agent.max_step=3", '--set agent.max_step: unknown key "max_step" in agent; did you mean "max_steps"?'],
    ["repeats=x", '--set repeats: repeats must be a whole number of at least 1, not "x"'],
    ["repeats=", "--set repeats: repeats must be a whole number of at least 1, not null"],
    ["model.price.input=1", "--set model.price.input: model.price.output is missing: give a number from 0 to 1000000"],
    ["repeats", "--set repeats: write key=value with the key's full path, for example --set agent.max_steps=8"],
    ["a..b=1", "--set a..b: write key=value with the key's full path, for example --set agent.max_steps=8"],
  ])("names the flag in errors: %s", async (override, expected) => {
    expect(await linesOf(MODEL, { overrides: [override] })).toEqual([expected]);
  });

  it("says where its YAML is broken", async () => {
    const [line] = await linesOf(MODEL, { overrides: ["scoring.scorers=[a"] });
    expect(line).toMatch(/^--set scoring\.scorers: /);
  });
});

describe("a key as plain text", () => {
  const CANARY = "sk-canary0123456789abcdef";

  it.each([
    [`model: { provider: lexical, name: a, api_key: ${CANARY} }`, /take "api_key" out/],
    [
      `model: { provider: lexical, name: a, api_key_env: ${CANARY} }`,
      /api_key_env must be the name of an environment variable/,
    ],
    [`model: { provider: lexical, name: ${CANARY} }`, /model.name holds a key as plain text/],
    [
      "model: { provider: lexical, name: a, headers: { Authorization: Bearer abc } }",
      /model.headers.Authorization holds a key/,
    ],
    ["model: { provider: lexical, name: a, extra_body: { api_key: abc } }", /model.extra_body.api_key holds a key/],
    [
      "model: { provider: openai, name: a, base_url: 'https://user:hunter2@example.org/v1' }",
      /base_url must be .*, not this text/,
    ],
    ["model: { provider: lexical, name: a, api_key_env: hunter2! }", /api_key_env must be .*, not this text/],
    ["model: { provider: lexical, name: a, proxy: 'http://u:hunter2@p' }", /proxy must be .*, not this text/],
    [
      "model: { provider: openai, name: a, base_url: 'https://example.org/v1?key=hunter2' }",
      /base_url must be .*, not this text/,
    ],
  ])("is refused and the error does not repeat it: %s", async (text, expected) => {
    const lines = await linesOf(text);
    expect(lines[0]).toMatch(expected);
    expect(lines.join("\n")).not.toMatch(/canary|hunter2|abc\b/);
  });

  it("is refused by flag as well", async () => {
    const lines = await linesOf(MODEL, { overrides: [`model.api_key=${CANARY}`] });
    expect(lines).toEqual([
      '--set model.api_key: a profile holds no keys: take "api_key" out, set an environment variable and name it in model.api_key_env',
    ]);
  });

  it("is refused where a variable brings it in beside api_key_env", async () => {
    const text = `model:\n  provider: lexical\n  name: "my \${KEY}"\n  api_key_env: KEY\n`;
    expect(await linesOf(text, { env: { KEY: "canary-key" } })).toEqual([
      "x.yaml:3: the value of KEY stands in model.name: take it out, api_key_env is enough",
    ]);
  });
});

describe("a profile's digest", () => {
  it("is equal exactly where trials and scores can only be equal", async () => {
    const digest = async (...overrides: string[]) =>
      profileDigest(await loadProfile({ file: "builtin", overrides, env: {} }));
    const base = await digest();
    expect(await digest("name=other", "concurrency=9", "gate.min_pass=0.5")).toBe(base);
    for (const override of ["agent.max_steps=1", "model.temperature=0", "scoring.penalty=0.5", "seed=1", "repeats=1"]) {
      expect(await digest(override)).not.toBe(base);
    }
  });
});

type KeysAtEveryDepth<Value> = Value extends readonly unknown[]
  ? "list"
  : Value extends object
    ? { -readonly [Key in keyof Value]-?: KeysAtEveryDepth<Value[Key]> }
    : "value";
