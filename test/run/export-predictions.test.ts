import { expect, test } from "vitest";
import { majority, type Voter } from "../../src/run/export-predictions.js";

const voter = (k: number, signature: string | null): Voter => ({
  arm: "main",
  task_id: "task_1",
  k,
  outcome: { kind: "no-answer", reason: "empty" },
  prediction: signature === null ? null : `trials/${k}`,
  signature,
});

const chosen = (...signatures: (string | null)[]) => {
  const [choice] = majority(signatures.map((signature, index) => voter(index + 1, signature)).reverse(), ["task_1"]);
  return [choice?.chosen?.k ?? null, choice?.votes, choice?.answers];
};

test("the answer that most repeats gave is taken, of a tie the earliest; trials without an answer have no vote", () => {
  expect(chosen("a", "b", "b")).toEqual([2, 2, 3]);
  expect(chosen("a", "b", "c")).toEqual([1, 1, 3]);
  expect(chosen("a", "b", "b", "a")).toEqual([1, 2, 4]);
  expect(chosen(null, null, "c")).toEqual([3, 1, 1]);
  expect(chosen(null, "b", null, "a", "a")).toEqual([4, 2, 3]);
  expect(chosen(null, null)).toEqual([null, 0, 0]);
});

test("answers that nobody could read a signature of are alike with none", () => {
  const unsigned = (k: number): Voter => ({ ...voter(k, "any"), signature: null });
  const [choice] = majority([voter(1, "a"), unsigned(2), unsigned(3)], ["task_1"]);
  expect([choice?.chosen?.k, choice?.votes, choice?.answers]).toEqual([1, 1, 3]);
});
