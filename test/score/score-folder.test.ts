import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type FolderScoring, scoreFolder } from "../../src/score/score-folder.js";
import { folderWith } from "../support/folder.js";
import { NO_DOMAINS } from "../support/no-domains.js";
import { sharedDir } from "../support/shared.js";
import { usageLines } from "../support/usage-lines.js";

const OPTIONS = {
  scorer: "kdd-columns",
  penalty: 0.1,
  names: "accept",
  thousands: false,
  domains: NO_DOMAINS,
} as const;

function score(predictions: string, gold: string, options: Partial<FolderScoring> = {}) {
  return scoreFolder({ ...OPTIONS, predictions, gold, ...options });
}

/** One task of every status. */
function everyStatus(): string {
  return folderWith({
    "gold/task_9/gold.csv": "a\n1\n",
    "pred/task_9/prediction.csv": "a\n1\n",
    "gold/task_10/gold.csv": "a,b\n1,2\n",
    "pred/task_10/prediction.csv": "a,b\n1,3\n",
    "gold/task_11/gold.csv": "a\n1\n",
    "pred/task_11/prediction.csv": "a\n2\n",
    "gold/task_12/gold.csv": "a\n1\n",
    "gold/task_13/gold.csv": "a\n1\n",
    "pred/task_13/prediction.csv": "a\n1,2\n",
    "gold/task_14/gold.csv": "",
    "pred/task_14/prediction.csv": "a\n1\n",
    "pred/task_15/prediction.csv": "a\n1\n",
    "pred/summary.json": "{}",
    "gold/README.md": "x",
  });
}

describe("scoring a folder of predictions", () => {
  it("has a row for each task with a gold or a prediction, in natural order, and a summary that adds up", async () => {
    const root = everyStatus();
    const scores = await score(path.join(root, "pred"), path.join(root, "gold"));
    expect(scores).toMatchObject({ scorer: "kdd-columns", version: "1", penalty: 0.1, names: "accept" });
    const rows = scores.tasks.map(({ details, ...row }) => Object.values(row));
    expect(rows).toEqual([
      ["task_9", "perfect", 1, 1, 1, 1, 1, 0, null],
      ["task_10", "partial", 0.45, 0.5, 1, 2, 2, 1, null],
      ["task_11", "none", 0, 0, 0, 1, 1, 1, null],
      ["task_12", "missing", 0, 0, 0, 1, 0, 0, "the file does not exist"],
      ["task_13", "invalid", 0, 0, 0, 1, null, null, "line 2 has 2 cells, the header has 1 column"],
      [
        "task_14",
        "unscored",
        null,
        null,
        null,
        null,
        null,
        null,
        "gold.csv cannot be used: no header: the file is empty",
      ],
      ["task_15", "unscored", null, null, null, null, null, null, "there is no gold.csv"],
    ]);
    expect(scores.summary).toEqual({
      tasks: 7,
      mean_score: expect.closeTo(1.45 / 5, 12),
      mean_recall: expect.closeTo(1.5 / 5, 12),
      perfect: 1,
      partial: 1,
      none: 1,
      missing: 1,
      invalid: 1,
      unscored: 2,
    });
  });

  it("names the fields of a row as the documented output does", async () => {
    const root = everyStatus();
    const { tasks } = await score(path.join(root, "pred"), path.join(root, "gold"));
    expect(Object.keys(tasks[0] ?? {})).toEqual([
      "task_id",
      "status",
      "score",
      "recall",
      "matched_columns",
      "gold_columns",
      "predicted_columns",
      "extra_columns",
      "reason",
      "details",
    ]);
  });

  it("takes the gold from a suite's root, its output folder, or a suite made by hand", async () => {
    const root = folderWith({
      "suite/input/task_1/task.json": "{}",
      "suite/output/task_1/gold.csv": "a\n1\n",
      "hand/task_1/gold.csv": "a\n1\n",
      "hand/task_1/task.json": "{}",
      "pred/task_1/prediction.csv": "a\n1\n",
    });
    for (const gold of ["suite", "suite/output", "hand"]) {
      const { summary } = await score(path.join(root, "pred"), path.join(root, gold));
      expect(summary, gold).toMatchObject({ tasks: 1, perfect: 1 });
    }
  });

  it("lets checks beside a gold go before the options", async () => {
    const root = folderWith({
      "gold/task_1/gold.csv": "a\n1\n",
      "gold/task_1/checks.yaml": "scoring: {penalty: 0.5}\n",
      "pred/task_1/prediction.csv": "a,b\n1,2\n",
    });
    const { tasks, penalty } = await score(path.join(root, "pred"), path.join(root, "gold"));
    expect(penalty).toBe(0.1);
    expect(tasks[0]).toMatchObject({ score: 0.75, details: { penalty: 0.5 } });
  });

  it("scores with any scorer; numbers that a scorer does not have are null", async () => {
    const root = everyStatus();
    const { tasks, summary } = await score(path.join(root, "pred"), path.join(root, "gold"), { scorer: "cell-f1" });
    expect(tasks[1]).toMatchObject({ status: "partial", score: 0.5, recall: null, matched_columns: null });
    expect(summary.mean_recall).toBeNull();
  });

  it.each([
    ["predictions that are not there", "nowhere", "gold", "nowhere: no such folder"],
    ["a gold folder that is not there", "pred", "nowhere", "nowhere: no such folder"],
    ["a folder without predictions", "gold", "gold", "gold: no task_<id>/prediction.csv here"],
    [
      "a folder without golds",
      "pred",
      "pred",
      "pred: no task_<id>/gold.csv here: give a suite's root or its output folder",
    ],
  ])("refuses %s", async (_name, predictions, gold, line) => {
    const root = everyStatus();
    const lines = await usageLines(() => score(path.join(root, predictions), path.join(root, gold)));
    expect(lines).toEqual([path.join(root, line)]);
  });

  it("refuses an unknown scorer, an impossible penalty, and all broken checks at once", async () => {
    const root = folderWith({
      "gold/task_1/gold.csv": "a\n1\n",
      "gold/task_1/checks.yaml": "x: 1\n",
      "gold/task_2/gold.csv": "a\n1\n",
      "gold/task_2/checks.yaml": "y: 1\n",
      "pred/task_1/prediction.csv": "a\n1\n",
    });
    const [pred, gold] = [path.join(root, "pred"), path.join(root, "gold")];
    expect(await usageLines(() => score(pred, gold, { scorer: "magic" }))).toHaveLength(1);
    for (const penalty of [-0.1, 1.5, Number.NaN]) {
      expect(await usageLines(() => score(pred, gold, { penalty }))).toEqual([
        `a penalty of ${penalty} is not between 0 and 1`,
      ]);
    }
    expect(await usageLines(() => score(pred, gold))).toEqual([
      expect.stringContaining(path.join("task_1", "checks.yaml:1: unknown key")),
      expect.stringContaining(path.join("task_2", "checks.yaml:1: unknown key")),
    ]);
  });

  it.skipIf(sharedDir === null)("finds golds of the shared demo tasks perfect against themselves", async () => {
    const suite = path.join(sharedDir ?? "", "data/kdd-demo");
    const predictions = folderWith();
    const { tasks } = await score(predictionsFrom(suite, predictions), suite);
    expect(tasks.length).toBeGreaterThan(5);
    expect(tasks.filter(({ status }) => status !== "perfect")).toEqual([]);
  });
});

/** Copies every gold of a suite as its own prediction. */
function predictionsFrom(suite: string, into: string): string {
  for (const task of readdirSync(path.join(suite, "output"))) {
    mkdirSync(path.join(into, task));
    copyFileSync(path.join(suite, "output", task, "gold.csv"), path.join(into, task, "prediction.csv"));
  }
  return into;
}
