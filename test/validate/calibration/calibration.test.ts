import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { calibrationOf } from "../../../src/validate/calibration/calibration.js";
import type { Example, Label, RuledExample, Ruling } from "../../../src/validate/calibration/example.js";
import { holdOut } from "../../../src/validate/calibration/hold-out.js";
import { readExamples } from "../../../src/validate/calibration/read-examples.js";
import { formatExamples } from "../../../src/validate/calibration/write-examples.js";

const TARGETS = { pass: 0.9, interception: 1 };
const AT = 0.8;

function example(label: Label, output: string, more: Partial<Example> = {}): Example {
  const judged = { judge: "goal", task: "t", sub_goal: null, accept: null, output, evidence: null } as const;
  return { at: `x:${output}`, label, failure_mode: null, held_out: false, judged, ...more };
}

const scored = (score: number): Ruling => ({
  kind: score >= AT ? "passed" : "refused",
  score,
  by: "model",
  reason: "because",
});
const BY_CODE: Ruling = { kind: "refused", score: null, by: "code", reason: "too short" };
const MALFORMED: Ruling = { kind: "malformed", error: "prose" };
const UNHEARD: Ruling = { kind: "unheard", error: "connection" };

let made = 0;
const ruled = (label: Label, rulings: readonly Ruling[], more: Partial<Example> = {}): RuledExample => ({
  example: example(label, `o${made++}`, more),
  rulings,
});
const calibrate = (all: readonly RuledExample[]) => calibrationOf(all, AT, TARGETS);

describe("a calibration", () => {
  it("has the pass rate of good examples and the interception rate of bad ones, by failure mode, with n and interval", () => {
    const { pass, interception, by_failure_mode } = calibrate([
      ...Array.from({ length: 9 }, () => ruled("good", [scored(0.9)])),
      ruled("good", [scored(0.6)]),
      ruled("bad", [BY_CODE], { failure_mode: "format" }),
      ruled("bad", [scored(0.3)], { failure_mode: "hollow" }),
      ruled("bad", [scored(0.9)], { failure_mode: "hollow" }),
      ruled("bad", [scored(0.7)]),
    ]);
    expect(pass).toMatchObject({ n: 10, rate: 0.9 });
    expect(pass.ci95?.map((bound) => bound.toFixed(3))).toEqual(["0.596", "0.982"]);
    expect(interception).toMatchObject({ n: 4, rate: 0.75 });
    expect(by_failure_mode).toMatchObject([
      { failure_mode: "format", n: 1, rate: 1 },
      { failure_mode: "hollow", n: 2, rate: 0.5 },
      { failure_mode: "unnamed", n: 1, rate: 1 },
    ]);
  });

  it("takes a malformed verdict neither for a pass nor for an interception, and leaves a judge that was not heard out", () => {
    const all = [
      ruled("good", [MALFORMED]),
      ruled("good", [scored(0.9)]),
      ruled("bad", [MALFORMED]),
      ruled("bad", [UNHEARD]),
    ];
    expect(calibrate(all)).toMatchObject({
      pass: { n: 2, rate: 0.5 },
      interception: { n: 1, rate: 0 },
      without_score: { malformed: { good: 1, bad: 1 }, unheard: { good: 0, bad: 1 } },
    });
  });

  it("counts examples, not repeats, and tells how far the judge agrees with itself", () => {
    const { pass, consistency } = calibrate([
      ruled("good", [scored(0.9), scored(0.9), scored(0.7), scored(0.7)]),
      ruled("good", [scored(0.9), scored(0.8), scored(0.9), scored(0.9)]),
      ruled("bad", [BY_CODE]),
    ]);
    expect(pass).toMatchObject({ n: 2, rate: 0.75 });
    expect(consistency).toMatchObject({ n: 2, mixed: 1 });
    expect(consistency.agreement).toBeCloseTo((1 / 3 + 1) / 2);
    expect(consistency.score_range).toBeCloseTo(0.15);
  });

  it("has a histogram whose tenths hold their lower bound, the last one also 1", () => {
    const { histogram } = calibrate([0, 0.1, 0.3, 0.7, 0.79, 0.8, 1].map((score) => ruled("good", [scored(score)])));
    expect(histogram.map(({ good }) => good)).toEqual([1, 1, 0, 1, 0, 0, 0, 2, 1, 1]);
  });

  it("finds the threshold that reaches both targets, nearest to the one in force; else the one with most of both", () => {
    const good = [0.75, 0.75, 0.9].map((score) => ruled("good", [scored(score)]));
    const bad = [0.2, 0.6, 0.65].map((score) => ruled("bad", [scored(score)]));
    expect(calibrate([...good, ...bad])).toMatchObject({ best: 0.75, passed_at: 0.8 });
    expect(calibrate([...good, ...bad, ruled("bad", [scored(0.95)])]).best).toBe(0.75);
    expect(calibrate(good).best).toBeNull();
    expect(calibrationOf([...good, ...bad], null, TARGETS)).toMatchObject({ thresholds: [], best: null });
  });

  it("never lets held-out examples move a threshold, a rate or a mode, whatever they are", () => {
    const ruling = fc.double({ min: 0, max: 1, noNaN: true }).map(scored);
    const label = fc.constantFrom<Label>("good", "bad");
    const some = (held_out: boolean) =>
      fc.array(fc.tuple(label, ruling).map(([of, one]) => ruled(of, [one], { held_out, failure_mode: "hollow" })));
    fc.assert(
      fc.property(some(false), some(true), (tuning, heldOut) => {
        const { held_out: _alone, missed: _missed, ...alone } = calibrate(tuning);
        const { held_out, missed: _others, ...both } = calibrate([...heldOut, ...tuning]);
        expect(both).toEqual(alone);
        expect(held_out.examples.good + held_out.examples.bad).toBe(heldOut.length);
      }),
    );
  });

  it("tells how held-out examples fare at the threshold in force and at the best one", () => {
    const tuning = [ruled("good", [scored(0.75)]), ruled("bad", [scored(0.2)])];
    const heldOut = ruled("good", [scored(0.76)], { held_out: true });
    expect(calibrate([...tuning, heldOut])).toMatchObject({
      best: 0.75,
      held_out: { pass: { n: 1, rate: 0 }, at_best: { pass: { n: 1, rate: 1 } } },
      missed: [{ held_out: false, wrong: 1, of: 1, score: 0.75 }, { held_out: true }],
    });
  });
});

describe("holding examples out", () => {
  const all = (["good", "bad"] as const).flatMap((label) =>
    Array.from({ length: 6 }, (_, index) => example(label, `${label} ${index}`)),
  );
  const names = (examples: readonly Example[]) =>
    examples
      .filter(({ held_out }) => held_out)
      .map(({ at }) => at)
      .sort();

  it("takes so many of each label, the marked ones first, whatever the order", () => {
    const marked = all.map((one, index) => ({ ...one, held_out: index === 2 }));
    const held = holdOut(marked, 3);
    expect(names(held)).toHaveLength(6);
    expect(names(held)).toContain("x:good 2");
    expect(names(holdOut(marked.toReversed(), 3))).toEqual(names(held));
    expect(names(holdOut(marked, null))).toEqual(["x:good 2"]);
  });

  it("refuses to hold all of a label out", () => {
    expect(() => holdOut(all, 6)).toThrow(/--holdout 6: there are only 6 good examples/);
  });
});

describe("a file of examples", () => {
  const GOOD = '{"task":"How many?","output":"12 of them","label":"good"}';

  it("is read line by line, and says every fault of every line at once", () => {
    const text = [
      GOOD,
      "",
      "not json",
      '{"task":"","output":3,"label":"fine"}',
      '{"task":"How many?","output":"x","label":"good","failure_mode":"hollow"}',
      '{"task":"How many?","output":"x","label":"bad","expected":"12","evidence":{"first":"x"}}',
      "[]",
    ].join("\n");
    let lines: readonly string[] = [];
    try {
      readExamples(text, "mine.jsonl", "goal");
    } catch (error) {
      if (error instanceof UsageError) lines = error.lines;
    }
    expect(lines).toEqual([
      "mine.jsonl:3: not JSON: one object a line is needed",
      "mine.jsonl:4: task must be the task's question as text",
      'mine.jsonl:4: label must be "good" or "bad"',
      "mine.jsonl:4: output must be the output as text",
      "mine.jsonl:5: failure_mode must be left out where the label is good",
      expect.stringMatching(/^mine\.jsonl:6: evidence/),
      'mine.jsonl:6: unknown key "expected" in an example for the goal validator',
      "mine.jsonl:7: must be an object",
    ]);
  });

  it("is refused where it is for another validator", () => {
    expect(() => readExamples(GOOD, "mine.jsonl", "answer")).toThrow(/mine\.jsonl:1: packet must be an object/);
    expect(() => readExamples("\n", "mine.jsonl", "goal")).toThrow(/mine\.jsonl: there is no example in it/);
  });

  it("names a failure mode in one way, however it is written, and is written as it is read", () => {
    const line = '{"task":"t","output":"x","evidence":{"E1":"y"},"label":"bad","failure_mode":"Fabricated citation"}';
    const [read] = readExamples(line, "a", "goal");
    expect(read?.failure_mode).toBe("fabricated-citation");
    const again = readExamples(formatExamples(read === undefined ? [] : [read]), "a", "goal");
    expect(again).toEqual([read]);
  });
});
