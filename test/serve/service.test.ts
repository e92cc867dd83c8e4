import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { carriesToken } from "../../src/serve/bearer-token.js";
import { isLoopback, namesLoopback } from "../../src/serve/loopback.js";
import {
  healthSchema,
  pairSchema,
  problemSchema,
  severalSchema,
  verdictSchema,
  verifyRequestSchema,
} from "../../src/serve/verify-schema.js";
import { errorReply, textReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { BODY, get, hangUp, judgedBy, post, raw, score, serving } from "./serving.js";

const LEXICAL = profileWith({});

describe("POST /v1/verify", () => {
  it("gives a verdict on an output, and shows the judge the three fields and nothing else", async () => {
    const { profile, judge } = await judgedBy([textReply(score(0.62))]);
    const { service } = await serving([profile]);
    const { status, body } = await post(service, BODY);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        passed: false,
        score: 0.62,
        layer: "goal",
        reason: "So.",
        scope: "local",
        findings: [],
        verifier_version: expect.stringMatching(/^[0-9a-f]{12}$/),
      },
    });
    expect(judge.requests[0]?.body.messages[1]?.content).toBe(
      `<task>\n${BODY.task}\n</task>\n\n<sub_goal>\n(none)\n</sub_goal>\n\n<accept>\n${BODY.accept}\n</accept>\n\n<output>\n${JSON.stringify(BODY.output)}\n</output>`,
    );
  });

  it("has the structure layer, which asks nobody, and no evidence layer", async () => {
    const { profile, judge } = await judgedBy([textReply(score(0.9))]);
    const { service } = await serving([profile]);
    expect((await post(service, { ...BODY, output: "12" })).body).toMatchObject({ score: null, layer: "structure" });
    expect(judge.requests).toHaveLength(0);
    const cited = { ...BODY, output: "There are 12 ferries on the northern line [E99]." };
    expect((await post(service, cited)).body).toMatchObject({ passed: true, score: 0.9 });
  });

  it("judges several outputs in one call, each by itself; one that cannot be judged does not take the others with it", async () => {
    const { profile } = await judgedBy(({ body }) =>
      body.messages[1]?.content?.includes("broken") ? textReply("no json") : textReply(score(0.9)),
    );
    const { service } = await serving([profile]);
    const output = ["short", "This one is broken beyond all hope.", "There are 12 ferries on the line."];
    const { status, body } = await post(service, { ...BODY, output });
    expect(status).toBe(200);
    expect(severalSchema.parse(body)).toMatchObject({
      outputs: [{ layer: "structure" }, { problem: { code: "judge-malformed" } }, { passed: true }],
    });
    expect((await post(service, { ...BODY, output: [] })).status).toBe(400);
  });

  it("asks two verifiers and says whether they disagree", async () => {
    const { profile: strict } = await judgedBy(() => textReply(score(0.7)), "strict");
    const { profile: lenient } = await judgedBy(() => textReply(score(0.7)), "lenient", { passed_at: 0.6 });
    const { profile: down } = await judgedBy(() => errorReply(500, "down"), "down");
    const { service } = await serving([strict, lenient, down]);
    const asked = (...profiles: string[]) => post(service, { ...BODY, profiles });
    const { body } = await asked("strict", "lenient");
    const { disagree, verdicts } = pairSchema.parse(body);
    expect({ disagree, verdicts }).toMatchObject({
      disagree: true,
      verdicts: [
        { profile: "strict", passed: false, scope: "local" },
        { profile: "lenient", passed: true, scope: null },
      ],
    });
    expect((await asked("strict", "down")).body).toMatchObject({
      disagree: null,
      verdicts: [{ passed: false }, { problem: { code: "judge-unavailable", status: 502 } }],
    });
    const several = await post(service, { ...BODY, output: ["short", BODY.output], profiles: ["strict", "lenient"] });
    expect(several.body).toMatchObject({ outputs: [{ disagree: false }, { disagree: true }] });
  });

  it("keeps verifiers by name, so that an older one can be asked for; the first is the default", async () => {
    const { profile: now } = await judgedBy(() => textReply(score(0.7)), "now");
    const { profile: before } = await judgedBy(() => textReply(score(0.7)), "before", { passed_at: 0.5 });
    const { service } = await serving([now, before]);
    const [byDefault, byName] = [await post(service, BODY), await post(service, { ...BODY, profiles: ["before"] })];
    expect([byDefault.body, byName.body]).toMatchObject([{ passed: false }, { passed: true }]);
    const { verifiers } = healthSchema.parse((await get(service, "/healthz")).body);
    expect(verifiers.map(({ name }) => name)).toEqual(["now", "before"]);
    const [current, older] = verifiers.map(({ verifier_version }) => verifier_version);
    expect([byDefault.body, byName.body]).toMatchObject([{ verifier_version: current }, { verifier_version: older }]);
    expect(current).not.toBe(older);
    expect((await post(service, { ...BODY, profiles: ["after"] })).body).toMatchObject({
      status: 404,
      code: "unknown-verifier",
      detail: "There is no verifier after; kept are now, before.",
    });
  });

  it("refuses two profiles of one name, and one verifier under two names", async () => {
    const other = { ...LEXICAL, verification: { ...LEXICAL.verification, passed_at: 0.7 } };
    await expect(serving([LEXICAL, other])).rejects.toThrow(/two profiles are named "test"/);
    await expect(serving([LEXICAL, { ...LEXICAL, name: "again" }])).rejects.toThrow(/test and again are one verifier/);
  });

  it.each([
    ["the judge is down", errorReply(500, "down"), 502, "judge-unavailable"],
    ["the judge is out of keys", errorReply(401, "bad key"), 502, "judge-unavailable"],
    ["the judge gives no verdict", textReply("It looks good."), 502, "judge-malformed"],
  ])("is a problem and never a pass where %s", async (_what, reply, status, code) => {
    const { profile } = await judgedBy(() => reply);
    const { service } = await serving([profile]);
    const answer = await post(service, BODY);
    expect(answer).toMatchObject({ status, type: "application/problem+json", body: { code, status } });
  });

  it("gives up on a judge that takes too long, and does not keep its request", async () => {
    const { profile, judge } = await judgedBy(() => ({ ...textReply(score(0.9)), header_delay_ms: 60_000 }));
    const { service } = await serving([profile], { limits: { verify_ms: 200 } });
    expect(await post(service, BODY)).toMatchObject({ status: 504, body: { code: "judge-timeout" } });
    await expect.poll(() => judge.inFlight.now).toBe(0);
  });

  it("lets go of the judge when the client leaves", async () => {
    const { profile, judge } = await judgedBy(() => ({ ...textReply(score(0.9)), header_delay_ms: 60_000 }));
    const { service, answered } = await serving([profile]);
    const client = new AbortController();
    const left = fetch(`${service.url}/v1/verify`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(BODY),
      signal: client.signal,
    });
    await expect.poll(() => judge.inFlight.now).toBe(1);
    client.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => judge.inFlight.now).toBe(0);
    await expect.poll(() => answered.map(({ status }) => status)).toEqual([499]);
  });
});

describe("a request that is none", () => {
  it("has one line in the log where its client hangs up in the middle of it", async () => {
    const { service, answered, bugs } = await serving([LEXICAL]);
    const head = "POST /v1/verify HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    await hangUp(service, `${head}content-length: 100\r\n\r\n{"task":`);
    await expect.poll(() => answered.length).toBeGreaterThan(0);
    expect((await get(service, "/healthz")).status).toBe(200);
    expect(answered.map(({ method, status }) => `${method} ${status}`)).toEqual(["POST 499", "GET 200"]);
    expect(bugs).toEqual([]);
  });

  it("is a problem that says what is wrong", async () => {
    const { service, bugs } = await serving([LEXICAL]);
    const code = async (body: unknown, headers = {}) => {
      const answer = await post(service, body, headers);
      expect(answer.type).toBe("application/problem+json");
      const { code, status } = problemSchema.parse(answer.body);
      expect(answer.status).toBe(status);
      return `${status} ${code}`;
    };
    expect(await code("{")).toBe("400 malformed-json");
    expect(await code("")).toBe("400 malformed-json");
    expect(await code("[]")).toBe("400 invalid-request");
    expect(await code({ ...BODY, task: " " })).toBe("400 invalid-request");
    expect(await code({ ...BODY, output: 12 })).toBe("400 invalid-request");
    expect(await code({ ...BODY, profiles: ["test", "test"] })).toBe("400 invalid-request");
    expect(await code({ ...BODY, profiles: [] })).toBe("400 invalid-request");
    expect(await code(BODY, { "content-type": "text/plain" })).toBe("415 not-json");
    expect((await get(service, "/v1/verify")).body).toMatchObject({ code: "method-not-allowed" });
    expect((await get(service, "/v2")).body).toMatchObject({ code: "not-found" });
    expect(bugs).toEqual([]);
  });

  it("is refused where it has more than the fields it may, by their names", async () => {
    const { service } = await serving([LEXICAL]);
    const { status, body } = await post(service, { ...BODY, transcript: ["…"], evidence: {} });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: "invalid-request",
      errors: [{ path: "transcript" }, { path: "evidence" }],
      detail: expect.stringContaining("transcript is not taken: task, output, accept and profiles are"),
    });
  });

  it("is refused where its body is too large, announced or not, and not read to its end", async () => {
    const { service, bugs } = await serving([LEXICAL], { limits: { body_bytes: 2000 } });
    const large = JSON.stringify({ ...BODY, output: "x".repeat(3000) });
    expect(await post(service, large)).toMatchObject({ status: 413, body: { code: "body-too-large" } });
    const head = "POST /v1/verify HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    const chunk = `800\r\n${"x".repeat(0x800)}\r\n`;
    expect(await raw(service, `${head}transfer-encoding: chunked\r\n\r\n${chunk}`)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*body-too-large/,
    );
    expect((await post(service, BODY)).status).toBe(200);
    expect(bugs).toEqual([]);
  });

  it("is refused where it does not arrive in time: its head or its body", async () => {
    const { service, answered, bugs } = await serving([LEXICAL], { limits: { receive_ms: 300 } });
    const head = "POST /v1/verify HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    const [slowHead, slowBody] = await Promise.all([
      raw(service, head),
      raw(service, `${head}content-length: 100\r\n\r\n{"task":`),
    ]);
    for (const back of [slowHead, slowBody]) expect(back).toMatch(/^HTTP\/1\.1 408 [\s\S]*request-timeout/);
    expect(answered.map(({ status }) => status)).toEqual([408, 408]);
    expect(bugs).toEqual([]);
  });

  it("is refused where it is no HTTP", async () => {
    const { service } = await serving([LEXICAL]);
    expect(await raw(service, "hello\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*bad-request/);
  });

  it("is told to come again where too many are in hand", async () => {
    const { profile, judge } = await judgedBy(() => ({ ...textReply(score(0.9)), header_delay_ms: 60_000 }));
    const { service } = await serving([profile], { limits: { in_flight: 1, verify_ms: 30_000 } });
    const first = post(service, BODY);
    await expect.poll(() => judge.inFlight.now).toBe(1);
    const second = await post(service, BODY);
    expect(second).toMatchObject({ status: 503, body: { code: "busy" } });
    expect(second.headers.get("retry-after")).toBe("1");
    expect((await get(service, "/healthz")).status).toBe(200);
    await service.stop();
    expect((await first).body).toMatchObject({ code: "stopping" });
  });
});

describe("who may ask", () => {
  const TOKEN = "canary-token-0123456789";

  it("is who has the token; health is for everyone", async () => {
    const { service, answered } = await serving([LEXICAL], { token: TOKEN });
    const status = async (authorization?: string) =>
      (await post(service, BODY, authorization === undefined ? {} : { authorization })).status;
    expect(await status(`Bearer ${TOKEN}`)).toBe(200);
    expect(await status(`bearer ${TOKEN}`)).toBe(200);
    for (const wrong of [undefined, "", "Bearer", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN, "Bearer "]) {
      expect(await status(wrong), String(wrong)).toBe(401);
    }
    expect((await get(service, "/openapi.json")).headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect((await get(service, "/healthz")).status).toBe(200);
    expect((await get(service, `/openapi.json?token=${TOKEN}`)).status).toBe(401);
    expect(JSON.stringify(answered)).not.toContain(TOKEN);
  });

  it("compares whole digests", () => {
    expect(carriesToken("Bearer a", "a")).toBe(true);
    expect(carriesToken("Bearer a", "b")).toBe(false);
    expect(carriesToken(undefined, "b")).toBe(false);
  });

  it("without a token is who calls this machine by its own names, and no page that was led here", async () => {
    const { service } = await serving([LEXICAL]);
    const asked = (host: string) => raw(service, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect(await asked("localhost:8787")).toMatch(/^HTTP\/1\.1 200/);
    expect(await asked("evil.example:8787")).toMatch(/^HTTP\/1\.1 403 [\s\S]*foreign-host/);
    for (const name of ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
      expect(isLoopback(name), name).toBe(true);
    for (const name of ["0.0.0.0", "::", "10.0.0.1", "example.com", "127.0.0.1.example.com"]) {
      expect(isLoopback(name), name).toBe(false);
    }
    expect(namesLoopback("[::1]:80")).toBe(true);
    expect(namesLoopback(undefined)).toBe(false);
  });
});

describe("GET /openapi.json", () => {
  it("is a valid OpenAPI 3.1 document, whose schemas are those that requests are checked with", async () => {
    const { service } = await serving([LEXICAL]);
    const { body } = await get(service, "/openapi.json");
    const checked = await new Validator().validate(z.record(z.string(), z.unknown()).parse(body));
    expect(checked).toMatchObject({ valid: true });
    const { components, openapi, info } = z
      .object({
        openapi: z.string(),
        info: z.object({ version: z.string() }),
        components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
      })
      .parse(body);
    expect([openapi, info.version]).toEqual(["3.1.0", "1.2.3"]);
    const json = (schema: z.ZodType, io: "input" | "output") => expect.objectContaining(withoutDialect(schema, io));
    expect(components.schemas).toEqual({
      VerifyRequest: json(verifyRequestSchema, "input"),
      Verdict: json(verdictSchema, "output"),
      Pair: json(pairSchema, "output"),
      Several: json(severalSchema, "output"),
      Problem: json(problemSchema, "output"),
      Health: json(healthSchema, "output"),
    });
    expect(components.schemas.VerifyRequest).toMatchObject({
      additionalProperties: false,
      required: ["task", "output"],
    });
  });

  it("describes every status that the service gives", async () => {
    const { service } = await serving([LEXICAL]);
    const { body } = await get(service, "/openapi.json");
    const text = JSON.stringify(body);
    for (const status of [200, 400, 401, 403, 404, 408, 413, 415, 500, 502, 503, 504]) {
      expect(text).toContain(`"${status}":{"description"`);
    }
  });
});

function withoutDialect(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

describe("a service that stops", () => {
  it("answers what is in hand, and takes nothing new", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { profile, judge } = await judgedBy(async () => {
      await held;
      return textReply(score(0.9));
    });
    const { service } = await serving([profile], { limits: { shutdown_ms: 30_000 } });
    const inHand = post(service, BODY);
    await expect.poll(() => judge.inFlight.now).toBe(1);
    const stopped = service.stop();
    await expect(post(service, BODY)).rejects.toThrow();
    release();
    expect(await inHand).toMatchObject({ status: 200, body: { passed: true } });
    expect(await stopped).toBe(0);
  });

  it("tells who waits longer than its patience, and counts them", async () => {
    const { profile, judge } = await judgedBy(() => ({ ...textReply(score(0.9)), header_delay_ms: 60_000 }));
    const { service } = await serving([profile], { limits: { shutdown_ms: 50 } });
    const inHand = post(service, BODY);
    await expect.poll(() => judge.inFlight.now).toBe(1);
    expect(await service.stop()).toBe(1);
    expect(await inHand).toMatchObject({ status: 503, body: { code: "stopping" } });
    await expect.poll(() => judge.inFlight.now).toBe(0);
  });
});
