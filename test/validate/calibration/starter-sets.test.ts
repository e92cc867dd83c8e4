import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadSuite } from "../../../src/config/load-suite.js";
import { languageOf } from "../../../src/core/language.js";
import { JUDGES, type JudgeName } from "../../../src/validate/calibration/example.js";
import { readExamples } from "../../../src/validate/calibration/read-examples.js";
import { sharedDir } from "../../support/shared.js";
import { rulingsOf } from "./scripted-judges.js";

const fileOf = (judge: JudgeName) => new URL(`../../../configs/calibration/${judge}.jsonl`, import.meta.url);
const examplesOf = (judge: JudgeName) => readExamples(readFileSync(fileOf(judge), "utf8"), `${judge}.jsonl`, judge);
const MODES = ["fabricated-citation", "format", "hollow", "off-target"];

describe.each(JUDGES)("the starter set of the %s validator", (judge) => {
  const examples = examplesOf(judge);
  const count = (label: string, held: boolean) =>
    examples.filter((one) => one.label === label && one.held_out === held).length;

  it("has ten good and ten bad examples over all failure modes, three of each held out, in both languages", () => {
    expect([count("good", false), count("bad", false), count("good", true), count("bad", true)]).toEqual([
      10, 10, 3, 3,
    ]);
    const tuned = examples.filter(({ held_out, label }) => !held_out && label === "bad");
    expect([...new Set(tuned.map(({ failure_mode }) => failure_mode))].sort()).toEqual(MODES);
    const tasks = examples.map(({ judged }) => (judged.judge === "goal" ? judged.task : judged.material.question));
    const chinese = tasks.filter((task) => languageOf(task) === "zh").length;
    expect(Math.min(chinese, tasks.length - chinese)).toBeGreaterThanOrEqual(10);
  });

  it("tells a strict judge from a lax one", async () => {
    const strict = await rulingsOf(examples, "strict");
    expect(strict).toMatchObject({ pass: { n: 10, rate: 1 }, interception: { n: 10, rate: 1 } });
    expect(strict.held_out).toMatchObject({ pass: { rate: 1 }, interception: { rate: 1 } });
    const lax = await rulingsOf(examples, "lax");
    expect(lax.pass.rate).toBe(1);
    expect(lax.interception.rate).toBeLessThan(0.6);
    // What code refuses, no judge is asked about.
    expect(lax.interception.rate).toBe(lax.without_score.by_code.bad / 10);
  });
});

/** Runs of five words, in Chinese of seven characters: what two texts share only where one was taken from the other. */
function phrases(text: string): readonly string[] {
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
  const length = languageOf(text) === "zh" ? 7 : 5;
  return words.map((_, at) => words.slice(at, at + length).join(" ")).slice(0, Math.max(1, words.length - length + 1));
}

describe.skipIf(sharedDir === null)("the starter sets, beside the shared tasks", () => {
  it("have no phrase of their questions", async () => {
    const suites = ["kdd-demo", "dabench"].map((name) => loadSuite(path.join(sharedDir ?? "", "data", name)));
    const questions = (await Promise.all(suites)).flatMap(({ tasks }) => tasks.map(({ question }) => question));
    expect(questions.length).toBeGreaterThan(20);
    const theirs = new Set(questions.flatMap(phrases));
    const ours = JUDGES.flatMap(examplesOf).map(({ judged }) =>
      judged.judge === "goal" ? `${judged.task} ${judged.sub_goal ?? ""}` : judged.material.question,
    );
    expect(ours.flatMap(phrases).filter((phrase) => theirs.has(phrase))).toEqual([]);
  });
});
