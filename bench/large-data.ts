import { createWriteStream } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { best, type Measured, measure } from "./measure.js";
import type { Row } from "./table.js";

const BIN = fileURLToPath(new URL("../bin/daw-eval.js", import.meta.url));
const PLAIN_SCORER = fileURLToPath(new URL("plain_scorer.py", import.meta.url));
const CSV_BYTES = 200e6;
const SCORED_ROWS = 1_000_000;

/** Large inputs: compiling a 200 MB CSV, and scoring a million rows beside a plain Python scorer. */
export async function compileParts(folder: string): Promise<Row[]> {
  const rows = [await compileLargeCsv(folder)];
  rows.push(await scoreManyRows(folder));
  return rows;
}

async function compileLargeCsv(folder: string): Promise<Row> {
  const task = path.join(folder, "large", "task_large");
  const csv = path.join(task, "context", "large.csv");
  await mkdir(path.dirname(csv), { recursive: true });
  await writeFile(path.join(task, "task.json"), '{"task_id": "task_large", "question": "How many rows are there?"}');
  await pipeline(function* () {
    yield "code,label,amount,day,kind\n";
    let written = 0;
    for (let index = 0; written < CSV_BYTES; index++) {
      const line = lineOf(index);
      written += line.length;
      yield line;
    }
  }, createWriteStream(csv));
  const { size } = await stat(csv);
  const compile = await measure([
    ...[process.execPath, BIN, "tasks", task, "task_large"],
    ...["--cache-dir", path.join(folder, "large-cache"), "--json"],
  ]);
  return {
    what: `compile a CSV of ${(size / 1e6).toFixed(0)} MB, profiles included`,
    figure: `${compile.seconds.toFixed(1)} s, ${peak(compile)}`,
    goal: "",
    met: null,
    beside: "",
  };
}

/** An id with leading zeros, a text with quotes and commas, a decimal, a date, a category. */
function lineOf(index: number): string {
  const day = `20${10 + (index % 15)}-0${1 + (index % 9)}-1${index % 10}`;
  return `${String(index).padStart(9, "0")},"label ""${index % 997}"", with a comma",${(index * 7919) % 100000}.${index % 100},${day},kind ${index % 12}\n`;
}

async function scoreManyRows(folder: string): Promise<Row> {
  const places = {
    gold: path.join(folder, "million", "gold"),
    predictions: path.join(folder, "million", "predictions"),
  };
  for (const [place, name] of [
    [places.gold, "gold.csv"],
    [places.predictions, "prediction.csv"],
  ] as const) {
    const task = path.join(place, "task_1");
    await mkdir(task, { recursive: true });
    await pipeline(
      function* () {
        yield "a,b,c\n";
        for (let row = 0; row < SCORED_ROWS; row++)
          yield `${row},${(row * 31) % 1000}.${row % 100},name ${row % 5000}\n`;
      },
      createWriteStream(path.join(task, name)),
    );
  }
  const mine = await best(3, () =>
    measure([process.execPath, BIN, "score", "--predictions", places.predictions, "--gold", places.gold, "--json"]),
  );
  const plain = await best(3, () =>
    measure([
      ...["python3", PLAIN_SCORER],
      ...[path.join(places.predictions, "task_1", "prediction.csv"), path.join(places.gold, "task_1", "gold.csv")],
    ]),
  );
  const ratio = plain.seconds / mine.seconds;
  return {
    what: "score 1,000,000 rows × 3 columns",
    figure: `${mine.seconds.toFixed(1)} s, ${peak(mine)}`,
    goal: "≥ 5 × a plain Python scorer",
    met: ratio >= 5,
    beside: `plain Python ${plain.seconds.toFixed(1)} s, ${peak(plain)} (ratio ${ratio.toFixed(1)})`,
  };
}

const peak = (measured: Measured) => (measured.peak_mib === null ? "? MiB" : `${measured.peak_mib.toFixed(0)} MiB`);
