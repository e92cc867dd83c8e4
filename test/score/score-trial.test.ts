import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ScoringConfig } from "../../src/core/profile.js";
import { scoreTrial } from "../../src/score/score-trial.js";
import { scorerVersion } from "../../src/score/scorer.js";
import { folderWith } from "../support/folder.js";
import { NO_DOMAINS } from "../support/no-domains.js";
import { usageLines } from "../support/usage-lines.js";

const SCORING: ScoringConfig = {
  primary: "kdd-columns",
  scorers: ["kdd-columns", "exact-table"],
  penalty: 0.1,
  names: "accept",
  thousands: false,
  pass_min_score: null,
};

/** Scores one prediction in a task folder with these files. */
async function scoresOf(
  files: Readonly<Record<string, string>>,
  scoring: Partial<ScoringConfig> = {},
  scorers: readonly string[] = SCORING.scorers,
) {
  const folder = folderWith(files);
  return scoreTrial({
    own: [],
    answer: {
      prediction: "prediction.csv" in files ? path.join(folder, "prediction.csv") : null,
      conclusion: path.join(folder, "conclusion.md"),
    },
    task: { folder, task_id: "task_1" },
    scoring: { ...SCORING, ...scoring },
    scorers,
    domains: NO_DOMAINS,
  });
}

const answered = { "gold.csv": "a\n1\n2\n", "prediction.csv": "x,y\n2,0\n1,0\n" };

describe("scoring a trial", () => {
  it("gives a score of each scorer, with its version", async () => {
    const scores = await scoresOf(answered);
    expect(scores.map(({ scorer, scorer_version, score }) => [scorer, scorer_version, score.value])).toEqual([
      ["kdd-columns", scorerVersion("kdd-columns"), 0.95],
      ["exact-table", scorerVersion("exact-table"), 0],
    ]);
  });

  it("calls a trial without an answer missing, 0", async () => {
    const [score] = await scoresOf({ "gold.csv": "a\n1\n" });
    expect(score?.score).toMatchObject({ status: "missing", value: 0 });
  });

  it("leaves a task without gold unscored", async () => {
    const scores = await scoresOf({ "prediction.csv": "a\n1\n" });
    expect(scores.map(({ score }) => score.status)).toEqual(["unscored", "unscored"]);
  });

  it("leaves a task with unreadable checks unscored and says why", async () => {
    const [score] = await scoresOf({ ...answered, "checks.yaml": "scorin: {}\n" });
    expect(score?.score).toMatchObject({ status: "unscored", value: null });
    expect(score?.score.reason).toMatch(/checks\.yaml:1: unknown key "scorin"; did you mean "scoring"\?/);
  });

  it("lets the task's checks go before the profile, and add scorers", async () => {
    const checks = "scoring:\n  penalty: 0.5\n  scorers: [cell-f1, kdd-columns]\n";
    const scores = await scoresOf({ ...answered, "checks.yaml": checks });
    expect(scores.map(({ scorer }) => scorer)).toEqual(["kdd-columns", "exact-table", "cell-f1"]);
    expect(scores[0]?.score).toMatchObject({ value: 0.75, details: { penalty: 0.5 } });
  });

  it("refuses a scorer that does not exist", async () => {
    expect(await usageLines(() => scoresOf(answered, {}, ["kdd"]))).toEqual([
      '"kdd" is not a scorer: known are kdd-columns, exact-table, cell-f1, text, claims, line-format',
    ]);
    expect(scorerVersion("kdd")).toBeNull();
  });
});

describe("the basis of a score", () => {
  const bases = async (files: Readonly<Record<string, string>>, scoring: Partial<ScoringConfig> = {}) =>
    (await scoresOf(files, scoring)).map(({ basis }) => basis);

  it("is the same for the same scorer, options, gold and checks, whatever the prediction", async () => {
    expect(await bases({ ...answered, "prediction.csv": "a\n9\n" })).toEqual(await bases(answered));
  });

  it("changes with gold and checks for all scorers", async () => {
    const [kdd, exact] = await bases(answered);
    for (const files of [
      { ...answered, "gold.csv": "a\n1\n3\n" },
      { ...answered, "checks.yaml": "scoring: {}\n" },
    ]) {
      const [otherKdd, otherExact] = await bases(files);
      expect(otherKdd).not.toBe(kdd);
      expect(otherExact).not.toBe(exact);
    }
  });

  it("changes with an option only for the scorers that use it", async () => {
    const [kdd, exact] = await bases(answered);
    const [otherKdd, otherExact] = await bases(answered, { penalty: 0.3 });
    expect(otherKdd).not.toBe(kdd);
    expect(otherExact).toBe(exact);
    expect((await bases(answered, { thousands: true }))[1]).not.toBe(exact);
  });

  it("differs between scorers", async () => {
    const [kdd, exact] = await bases(answered);
    expect(kdd).not.toBe(exact);
  });
});
