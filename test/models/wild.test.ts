import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCompletion } from "../../src/models/completion.js";
import { httpFailure } from "../../src/models/http-failure.js";
import { retryAfter } from "../../src/models/retry-after.js";
import { scrubberFor } from "../../src/models/secrets.js";
import { recoverToolCalls } from "../../src/models/text-tool-calls.js";
import { CANARY, modelConfig, modelRequest, TOOLS } from "./ask.js";

/** Text that looks like tool calls, in any order and cut anywhere. */
const callLikeText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<tool_call>",
        "</tool_call>",
        "<function=list_context>",
        "</function>",
        "<parameter=sql>",
        "</parameter>",
      ),
      fc.constantFrom('{"name": "list_context", "arguments": {}}', '{"name": "nothing"}', "\n", "<", ">"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

describe("whatever a server or a model writes", () => {
  it("is read as a completion or named as a problem, never thrown at", () => {
    const wild = fc.jsonValue();
    const message = fc.record(
      { content: wild, tool_calls: wild, reasoning: wild, refusal: wild, reasoning_content: wild },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      wild,
      fc.record({ choices: fc.array(fc.record({ message, finish_reason: wild })), usage: wild, model: wild }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const read = readCompletion(value, modelRequest(), modelConfig());
        expect("problem" in read ? read.problem : read.response.model).not.toBe("");
      }),
    );
  });

  it("has calls of offered tools alone recovered, with arguments that are JSON, and loses no text around them", () => {
    fc.assert(
      fc.property(callLikeText, (text) => {
        const { calls, content } = recoverToolCalls(text, null, TOOLS);
        for (const call of calls) {
          expect(TOOLS.map(({ name }) => name)).toContain(call.name);
          expect(() => JSON.parse(call.arguments)).not.toThrow();
        }
        if (calls.length === 0) expect(content).toBe(text);
        else expect(content.length).toBeLessThan(text.length);
      }),
    );
  });

  it("is a failure with a class and some words, whatever the status and the body", () => {
    const body = fc.oneof(fc.json(), fc.string());
    const status = fc.integer({ min: 300, max: 599 });
    fc.assert(
      fc.property(status, body, (code, text) => {
        const { failure } = httpFailure(code, new Headers(), text, 0);
        expect(failure.status).toBe(code);
        expect(failure.message).not.toBe("");
      }),
    );
  });

  it("as Retry-After is a wait that is not negative, or none", () => {
    const header = fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.date().map(String), fc.double().map(String));
    fc.assert(
      fc.property(header, (text) => {
        const wait = retryAfter(new Headers({ "retry-after": text }), Date.UTC(2026, 0));
        expect(wait === null || wait >= 0).toBe(true);
      }),
    );
  });

  it("holds no secret after scrubbing, wherever it stood", () => {
    const scrubber = scrubberFor([CANARY]);
    const around = fc.tuple(fc.string(), fc.string()).map(([before, after]) => before + CANARY + after);
    fc.assert(
      fc.property(fc.array(fc.oneof(around, fc.dictionary(around, around), fc.jsonValue())), (value) => {
        expect(JSON.stringify(scrubber.json(value))).not.toContain("canary");
        expect(scrubber.text(JSON.stringify(value))).not.toContain("canary");
      }),
    );
  });
});
