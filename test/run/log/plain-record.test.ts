import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/core/run-record.js";
import { plainRecord } from "../../../src/run/log/plain-record.js";
import { recordSchema } from "../../../src/run/log/record-schema.js";
import { runEnd, runStart, scoreRecord, trialEnd } from "../../support/records.js";

const USAGE = {
  purpose: "agent",
  model: "m",
  calls: 2,
  ms: 1.5,
  input_tokens: 10,
  output_tokens: 0,
  cached_tokens: null,
  reasoning_tokens: 3,
};
const PLAIN: readonly RunRecord[] = [
  scoreRecord(),
  scoreRecord({ status: "unscored", value: null, reason: "no gold", details: { list: [1, { deep: null }] } }),
  trialEnd(),
  trialEnd({
    usage: [USAGE, USAGE],
    cost_usd: 0.5,
    prediction: null,
    signature: null,
    integrity: ["gold-sought"],
    path: "recall",
  }),
];

/** Puts `value` in the place that `path` leads to, or takes that place out. */
function changed(node: unknown, path: readonly number[], value: unknown, remove: boolean): unknown {
  const [first = 0, ...rest] = path;
  if (Array.isArray(node)) {
    if (node.length === 0) return value;
    const at = first % node.length;
    return node.flatMap((item, index) =>
      index !== at ? [item] : rest.length === 0 ? (remove ? [] : [value]) : [changed(item, rest, value, remove)],
    );
  }
  if (typeof node !== "object" || node === null) return value;
  const entries = Object.entries(node);
  if (entries.length === 0) return value;
  const at = first % entries.length;
  return Object.fromEntries(
    entries.flatMap(([key, item], index) =>
      index !== at
        ? [[key, item]]
        : rest.length === 0
          ? remove
            ? []
            : [[key, value]]
          : [[key, changed(item, rest, value, remove)]],
    ),
  );
}

describe("records that are read without the schema", () => {
  it("are the plain scores and ends of trials that fill a log", () => {
    for (const record of PLAIN) expect(plainRecord(record)).toBe(record);
  });

  it("are no others: those are the schema's to read", () => {
    const others = [
      runStart(),
      runEnd(),
      trialEnd({ outcome: { kind: "infra-error", class: "timeout", message: "slow" } }),
      { ...trialEnd(), integrity: undefined },
      null,
      [],
      "score",
    ];
    for (const record of others) expect(plainRecord(record)).toBeNull();
  });

  it("are none that the schema would refuse or read otherwise, whatever is missing, added or of another type", () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        "answered",
        "score",
        "trial-end",
        "perfect",
        "off",
        Number.POSITIVE_INFINITY,
        -1,
        0.5,
        2 ** 60,
        "",
        null,
        {},
        [],
      ),
    );
    const path = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 });
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...PLAIN), path, odd, fc.boolean(), (record, where, value, remove) => {
        const broken = changed(record, where, value, remove);
        const plain = plainRecord(broken);
        if (plain === null) return;
        taken++;
        const parsed = recordSchema.safeParse(broken);
        expect(parsed.success).toBe(true);
        expect(parsed.data).toEqual(plain);
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
