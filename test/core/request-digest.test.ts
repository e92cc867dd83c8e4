import fc from "fast-check";
import { expect, it } from "vitest";
import { digestOf, stableJson } from "../../src/core/digest.js";
import type { Message, ModelRequest, ToolSchema } from "../../src/core/message.js";
import { digestOfRequest } from "../../src/core/request-digest.js";

const call = fc.record({ id: fc.string(), name: fc.string(), arguments: fc.string({ unit: "grapheme" }) });
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("system" as const), content: fc.string({ unit: "grapheme" }) }),
  fc.record({ role: fc.constant("user" as const), content: fc.string({ unit: "grapheme" }) }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.option(fc.string({ unit: "grapheme" })),
    tool_calls: fc.array(call, { maxLength: 3 }),
  }),
  fc.record({ tool_call_id: fc.string(), content: fc.string(), role: fc.constant("tool" as const) }),
);
const tool: fc.Arbitrary<ToolSchema> = fc.record({
  name: fc.string(),
  description: fc.string(),
  parameters: fc.dictionary(fc.string(), fc.jsonValue()),
});
const request: fc.Arbitrary<ModelRequest> = fc.record({
  tools: fc.array(tool, { maxLength: 3 }),
  purpose: fc.constantFrom("agent", "process-validator"),
  messages: fc.array(message, { maxLength: 5 }),
  temperature: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  seed: fc.option(fc.nat()),
  max_output_tokens: fc.option(fc.nat()),
});

it("is the digest and size of the request's stable JSON, also when its messages were sent before", () => {
  fc.assert(
    fc.property(request, fc.array(message, { maxLength: 3 }), (first, more) => {
      for (const sent of [first, { ...first, messages: [...first.messages, ...more] }]) {
        expect(digestOfRequest(sent)).toEqual({ digest: digestOf(sent), bytes: Buffer.byteLength(stableJson(sent)) });
      }
    }),
  );
});
