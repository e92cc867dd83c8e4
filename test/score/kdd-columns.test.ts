import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sharedDir } from "../support/shared.js";
import { obviousScore } from "./obvious-scorer.js";
import { fileScorer, pick, plainTable, relatedTables, shuffled } from "./tables.js";

const scoringFile = (name: string) => path.join(sharedDir ?? "", "data/scoring", name);

describe.skipIf(sharedDir === null)("the conformance set of tables (needs the shared data)", () => {
  const schema = z.array(
    z.object({
      case: z.string(),
      gold_csv: z.string(),
      prediction_csv: z.string().nullable(),
      prediction_encoding: z.enum(["utf-8", "latin-1"]),
      expected: z.object({ "lambda_0.1": z.number(), "lambda_0.5": z.number() }),
    }),
  );
  const cases = sharedDir === null ? [] : schema.parse(JSON.parse(readFileSync(scoringFile("tables.json"), "utf8")));

  it.each(cases)("$case", async ({ gold_csv, prediction_csv, prediction_encoding, expected }) => {
    for (const [penalty, score] of [
      [0.1, expected["lambda_0.1"]],
      [0.5, expected["lambda_0.5"]],
    ] as const) {
      const scoreFile = fileScorer("kdd-columns", { penalty });
      const encoding = prediction_encoding === "latin-1" ? "latin1" : "utf8";
      const prediction = prediction_csv === null ? null : Buffer.from(prediction_csv, encoding);
      const scored = await scoreFile(prediction, gold_csv);
      expect(scored.value).toBeCloseTo(score, 6);
      if (prediction === null) expect(scored.status).toBe("missing");
    }
  });
});

describe.skipIf(sharedDir === null)("published predictions of real runs (needs the shared data)", () => {
  const schema = z.array(
    z.object({
      task_id: z.string(),
      gold_csv: z.string(),
      prediction_csv: z.string(),
      penalty_weight: z.number(),
      expected: z.object({
        gold_columns: z.number(),
        predicted_columns: z.number(),
        matched_columns: z.number(),
        extra_columns: z.number(),
        score: z.number(),
      }),
    }),
  );
  const pairs =
    sharedDir === null ? [] : schema.parse(JSON.parse(readFileSync(scoringFile("published-pairs.json"), "utf8")));

  it("get the column counts and scores that their authors published", async () => {
    expect(pairs.length).toBeGreaterThan(0);
    for (const [index, { task_id, gold_csv, prediction_csv, penalty_weight, expected }] of pairs.entries()) {
      const scoreFile = fileScorer("kdd-columns", { penalty: penalty_weight, names: "strict" });
      const { value, details } = await scoreFile(prediction_csv, gold_csv);
      const { score, ...counts } = expected;
      expect(details, `pair ${index}, ${task_id}`).toMatchObject(counts);
      expect(value, `pair ${index}, ${task_id}`).toBeCloseTo(score, 9);
    }
  });
});

describe("kdd-columns beside a slow, obvious scorer", () => {
  it.each(["accept", "strict"] as const)("agrees on wild tables, names: %s", async (names) => {
    const scoreFile = fileScorer("kdd-columns", { penalty: 0.3, names });
    await fc.assert(
      fc.asyncProperty(relatedTables, async ({ prediction, gold }) => {
        const { value, details } = await scoreFile(prediction, gold);
        const obvious = obviousScore(prediction, gold, 0.3, names);
        expect(details).toMatchObject({
          matched_columns: obvious.matched,
          gold_columns: obvious.gold,
          predicted_columns: obvious.predicted,
          extra_columns: obvious.predicted - obvious.matched,
        });
        expect(value).toBeCloseTo(obvious.score, 12);
      }),
      { numRuns: 400 },
    );
  });
});

describe("kdd-columns", () => {
  it("keeps its score when rows and columns change places", async () => {
    const scoreFile = fileScorer("kdd-columns", { names: "strict" });
    await fc.assert(
      fc.asyncProperty(
        relatedTables.chain(({ gold, prediction }) =>
          fc.tuple(fc.constant({ gold, prediction }), shuffled(prediction), shuffled(gold)),
        ),
        async ([{ gold, prediction }, otherPrediction, otherGold]) => {
          const before = await scoreFile(prediction, gold);
          expect((await scoreFile(otherPrediction, gold)).value).toBe(before.value);
          expect((await scoreFile(prediction, otherGold)).value).toBe(before.value);
        },
      ),
    );
  });

  it("keeps its score when headers are renamed, unless names are merged", async () => {
    const scoreFile = fileScorer("kdd-columns", { names: "strict" });
    await fc.assert(
      fc.asyncProperty(relatedTables, async ({ gold, prediction }) => {
        const renamed = { ...prediction, columns: prediction.columns.map((_, column) => `c${column}`) };
        expect((await scoreFile(renamed, gold)).value).toBe((await scoreFile(prediction, gold)).value);
      }),
    );
  });

  it("is perfect for the gold itself and loses λ / P for one column more and 1 / G for one less", async () => {
    const scoreFile = fileScorer("kdd-columns", { penalty: 0.3, names: "strict" });
    await fc.assert(
      fc.asyncProperty(
        plainTable.filter(({ rows }) => rows.length > 0),
        async (gold) => {
          const width = gold.columns.length;
          expect(await scoreFile(gold, gold)).toMatchObject({ status: "perfect", value: 1 });
          const wider = { columns: [...gold.columns, "more"], rows: gold.rows.map((row) => [...row, "nowhere else"]) };
          expect(await scoreFile(wider, gold)).toMatchObject({
            status: "partial",
            value: expect.closeTo(1 - 0.3 / (width + 1), 12),
            details: { extra_columns: 1, extra_names: ["more"] },
          });
          if (width === 1) return;
          const narrower = pick(gold, [...Array(width - 1).keys()], [...gold.rows.keys()]);
          expect((await scoreFile(narrower, gold)).value).toBeCloseTo(1 - 1 / width, 12);
        },
      ),
    );
  });

  it("prints λ, the score for every λ of the grid, recall and counts, but no cell and no header of the gold", async () => {
    const scoreFile = fileScorer("kdd-columns");
    const { status, value, reason, details } = await scoreFile(
      "n,wrong\n7,8\n",
      "secret_header,other\n7,secret cell\n",
    );
    expect({ status, value, reason }).toEqual({ status: "partial", value: 0.45, reason: null });
    expect(details).toEqual({
      penalty: 0.1,
      penalty_grid: { "0": 0.5, "0.05": 0.475, "0.1": 0.45, "0.2": 0.4, "0.3": 0.35, "0.5": 0.25 },
      names: "accept",
      recall: 0.5,
      matched_columns: 1,
      gold_columns: 2,
      predicted_columns: 2,
      extra_columns: 1,
      gold_rows: 1,
      predicted_rows: 1,
      merged_names: [],
      missed_gold_columns: [1],
      extra_names: ["wrong"],
    });
    expect(JSON.stringify(details)).not.toContain("secret");
  });

  it("is not perfect with an extra column even where λ is 0, and none where nothing matches", async () => {
    const scoreFile = fileScorer("kdd-columns", { penalty: 0 });
    expect(await scoreFile("a,b\n1,2\n", "a\n1\n")).toMatchObject({ status: "partial", value: 1 });
    expect(await scoreFile("a\n2\n", "a\n1\n")).toMatchObject({ status: "none", value: 0 });
  });

  it("never goes below 0", async () => {
    const scoreFile = fileScorer("kdd-columns", { penalty: 1 });
    expect((await scoreFile("a,b,c\n1,2,3\n", "a,x,y,z\n1,7,8,9\n")).value).toBe(0);
  });

  it("reads thousands separators when the options say so", async () => {
    expect((await fileScorer("kdd-columns", { thousands: true })('a\n"1,234.5"\n', "a\n1234.5\n")).value).toBe(1);
  });
});

describe("names in kdd-columns", () => {
  const split = (first: string, last: string) => `${first},${last}\nAnn,Lee\nBo,Ray\n`;
  const full = "who\nBo Ray\nAnn Lee\n";

  it.each([
    ["first_name", "last_name"],
    ["FirstName", "LastName"],
    ["given", "Family Name"],
    ["T1.forename", "T1.surname"],
    ["名", "姓"],
  ])("are merged under the headers %s and %s, on either side", async (first, last) => {
    const scoreFile = fileScorer("kdd-columns");
    const inGold = await scoreFile(full, split(first, last));
    expect(inGold).toMatchObject({ status: "perfect", value: 1, details: { gold_columns: 1, predicted_columns: 1 } });
    expect(inGold.details.merged_names).toEqual([{ split: "gold", split_columns: [0, 1], full_column: 0 }]);
    const inPrediction = await scoreFile(split(first, last), full);
    expect(inPrediction).toMatchObject({ status: "perfect", details: { gold_columns: 1, predicted_columns: 1 } });
    expect(inPrediction.details.merged_names).toEqual([{ split: "prediction", split_columns: [0, 1], full_column: 0 }]);
  });

  it("are merged when the last name stands first, as first last", async () => {
    const { value, details } = await fileScorer("kdd-columns")(full, "surname,forename\nLee,Ann\nRay,Bo\n");
    expect(value).toBe(1);
    expect(details.merged_names).toEqual([{ split: "gold", split_columns: [1, 0], full_column: 0 }]);
  });

  it.each([
    ["other headers", "a,b\nAnn,Lee\nBo,Ray\n"],
    ["a column between", "first,x,last\nAnn,1,Lee\nBo,1,Ray\n"],
    ["words that only contain them", "thirst,ballast\nAnn,Lee\nBo,Ray\n"],
    ["headers that say both", "first_last_name,姓名\nAnn,Lee\nBo,Ray\n"],
  ])("are not merged under %s", async (_name, gold) => {
    expect((await fileScorer("kdd-columns")(full, gold)).details.matched_columns).toBe(0);
  });

  it("are not merged when names are strict", async () => {
    const scored = await fileScorer("kdd-columns", { names: "strict" })(full, split("first", "last"));
    expect(scored).toMatchObject({ status: "none", details: { gold_columns: 2, merged_names: [] } });
  });

  it("are not merged where that would take a column from an exact pair", async () => {
    const scored = await fileScorer("kdd-columns")("first,who\nAnn,Ann Lee\nBo,Bo Ray\n", split("first", "last"));
    expect(scored.details).toMatchObject({ matched_columns: 1, gold_columns: 2, extra_columns: 1, merged_names: [] });
  });

  it("leave columns free for a further merge where they can", async () => {
    // Two columns of the prediction hold gold's full names; one of them is itself half of a split name.
    const gold = "first,last,note,who\nAnn,Lee,1,Ann Lee Ray\n";
    for (const prediction of ["nick,first,last\nAnn Lee,Ann Lee,Ray\n", "first,last,nick\nAnn Lee,Ray,Ann Lee\n"]) {
      const { details } = await fileScorer("kdd-columns")(prediction, gold);
      expect(details).toMatchObject({ matched_columns: 2, gold_columns: 3, predicted_columns: 2 });
    }
  });

  it("with one part missing are the other part", async () => {
    const scored = await fileScorer("kdd-columns")("who\nLee\nBo\n", "first,last\nNULL,Lee\nBo,\n");
    expect(scored.value).toBe(1);
  });
});
