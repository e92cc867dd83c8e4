import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { NO_CHECKS } from "../../src/score/checks.js";
import { scorerNamed } from "../../src/score/scorer.js";
import { folderWith } from "../support/folder.js";
import { NO_DOMAINS } from "../support/no-domains.js";
import { OPTIONS } from "./tables.js";

const ROWS = 1_000_000;
/** Room for less than a tenth of the rows as text. */
const HEAP_MEGABYTES = 24;

/** Every row once, in an order given by `step`, with the columns in either order. */
async function writeTable(file: string, step: number, reversed: boolean): Promise<void> {
  function* lines(): Generator<string> {
    yield reversed ? "x,y,z\n" : "id,name,value\n";
    for (let i = 0; i < ROWS; i++) {
      const row = (i * step) % ROWS;
      const cells = [String(row), `name ${row % 977}`, (row * 0.37).toFixed(4)];
      yield `${(reversed ? cells.reverse() : cells).join(",")}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

/** Scores in a process of its own whose heap is so small that it dies when rows are kept. */
async function scoreInSmallHeap(scorer: string, prediction: string, gold: string): Promise<unknown> {
  const module = pathToFileURL(path.resolve("dist/score/scorer.js")).href;
  const options = { penalty: 0.1, names: "accept", thousands: false, tolerance: 0.01 };
  const script = `
    const { scorerNamed } = await import(${JSON.stringify(module)});
    const gold = { file: ${JSON.stringify(gold)}, checks: {} };
    const score = await scorerNamed(${JSON.stringify(scorer)}).score({ prediction: ${JSON.stringify(prediction)}, conclusion: null }, gold, ${JSON.stringify(options)});
    process.stdout.write(JSON.stringify(score));`;
  const args = [`--max-old-space-size=${HEAP_MEGABYTES}`, "--input-type=module", "-e", script];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

describe("a large prediction", () => {
  it("lets other trials go on while it is read", async () => {
    const folder = folderWith({ "gold.csv": `a\n${"value\n".repeat(500_000)}` });
    const file = path.join(folder, "gold.csv");
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await scorerNamed("kdd-columns").score(
      { prediction: file, conclusion: null },
      { file, checks: NO_CHECKS },
      OPTIONS,
      NO_DOMAINS,
    );
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });
});

describe("a prediction of a million rows", () => {
  it("is scored against its gold without being kept in memory", async () => {
    const folder = folderWith();
    const [gold, prediction] = [path.join(folder, "gold.csv"), path.join(folder, "prediction.csv")];
    await writeTable(gold, 1, false);
    await writeTable(prediction, 7, true);
    expect(await scoreInSmallHeap("kdd-columns", prediction, gold)).toMatchObject({
      status: "perfect",
      details: { predicted_rows: ROWS, matched_columns: 3 },
    });
    expect(await scoreInSmallHeap("exact-table", prediction, gold)).toMatchObject({
      status: "perfect",
      details: { ordered: false, aligned_rows: ROWS },
    });
  }, 120_000);
});
