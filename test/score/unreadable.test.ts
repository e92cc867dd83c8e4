import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NO_CHECKS } from "../../src/score/checks.js";
import { scorerNamed } from "../../src/score/scorer.js";
import { folderWith } from "../support/folder.js";
import { NO_DOMAINS } from "../support/no-domains.js";
import { fileScorer, OPTIONS } from "./tables.js";

describe.each(["kdd-columns", "exact-table", "cell-f1", "text"])("every scorer of tables (%s)", (name) => {
  it.each([
    ["a ragged row", "a,b\n1,2\n3\n", "line 3 has 1 cell, the header has 2 columns"],
    ["an empty file", "", "no header: the file is empty"],
    ["latin-1", Buffer.from("a\n\u00e4\n", "latin1"), "not valid UTF-8"],
    ["an unclosed quote", 'a\n"1\n', "a quote in the row that starts in line 2 is never closed"],
  ])("calls a prediction with %s invalid, 0", async (_name, prediction, reason) => {
    expect(await fileScorer(name)(prediction, "a\n1\n")).toMatchObject({ status: "invalid", value: 0, reason });
  });

  it("calls no answer, and a file that is not there, missing, 0", async () => {
    const gold = { file: path.join(folderWith({ "gold.csv": "a\n1\n" }), "gold.csv"), checks: NO_CHECKS };
    const nowhere = path.join(folderWith(), "prediction.csv");
    for (const prediction of [null, nowhere]) {
      const scored = await scorerNamed(name).score({ prediction, conclusion: null }, gold, OPTIONS, NO_DOMAINS);
      expect(scored).toMatchObject({ status: "missing", value: 0, reason: expect.stringMatching(/./) });
    }
  });

  it("leaves a task without a usable gold unscored, never 0, whatever the prediction", async () => {
    const folder = folderWith({ "prediction.csv": "a\n1\n", "empty.csv": "", "ragged.csv": "a\n1,2\n" });
    const score = (prediction: string | null, gold: string | null) =>
      scorerNamed(name).score(
        { prediction: prediction === null ? null : path.join(folder, prediction), conclusion: null },
        { file: gold === null ? null : path.join(folder, gold), checks: NO_CHECKS },
        OPTIONS,
        NO_DOMAINS,
      );
    expect(await score("prediction.csv", null)).toMatchObject({
      status: "unscored",
      value: null,
      reason: "there is no gold.csv",
    });
    expect(await score("prediction.csv", "empty.csv")).toMatchObject({
      status: "unscored",
      value: null,
      reason: "gold.csv cannot be used: no header: the file is empty",
    });
    expect(await score(null, "ragged.csv")).toMatchObject({ status: "unscored", value: null });
    expect(await score("ragged.csv", "nowhere.csv")).toMatchObject({ status: "unscored", value: null });
  });

  it("calls a folder in the prediction's place invalid", async () => {
    const folder = folderWith({ "gold.csv": "a\n1\n" });
    mkdirSync(path.join(folder, "prediction.csv"));
    const gold = { file: path.join(folder, "gold.csv"), checks: NO_CHECKS };
    const answer = { prediction: path.join(folder, "prediction.csv"), conclusion: null };
    expect(await scorerNamed(name).score(answer, gold, OPTIONS, NO_DOMAINS)).toMatchObject({
      status: "invalid",
      value: 0,
    });
  });

  it("reads NUL bytes as characters and huge cells as cells", async () => {
    const scoreFile = fileScorer(name);
    expect(await scoreFile("a\n1\u0000\n", "a\n1\n")).toMatchObject({ status: "none" });
    const huge = "x".repeat(2_000_000);
    expect(await scoreFile(`a\n${huge}\n`, `b\n${huge}\n`)).toMatchObject({ status: "perfect" });
    expect(await scoreFile(`a\n${huge}\n`, `b\n${huge}y\n`)).toMatchObject({ status: "none" });
    expect(await scoreFile(`a\n${"x".repeat(20_000_000)}\n`, "b\n1\n")).toMatchObject({
      status: "invalid",
      reason: "the row in line 2 has more than 16777216 characters",
    });
  });
});

describe("what is known without a readable prediction", () => {
  it("is the gold's size, and for kdd-columns a recall of 0", async () => {
    const { details } = await fileScorer("kdd-columns")("", "a,b\n1,2\n");
    expect(details).toMatchObject({
      recall: 0,
      matched_columns: 0,
      gold_columns: 2,
      predicted_columns: null,
      extra_columns: null,
      penalty: 0.1,
      penalty_grid: { "0.1": 0 },
    });
    const missing = await fileScorer("kdd-columns")(null, "a,b\n1,2\n");
    expect(missing.details).toMatchObject({ gold_columns: 2, predicted_columns: 0, extra_columns: 0 });
  });
});
