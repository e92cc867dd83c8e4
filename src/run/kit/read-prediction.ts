import { readFile } from "node:fs/promises";
import { CsvError, csvReader } from "../../answer/csv-reader.js";
import type { Table } from "../../core/ports/query-worker.js";

/** A prediction that another tool wrote, as a table of text; `reason`: why it is none, as a scorer would say it. */
export type PredictionRead =
  | { readonly ok: true; readonly table: Table }
  | { readonly ok: false; readonly reason: string };

/** Rejects only where the file cannot be read at all. */
export async function readPrediction(file: string): Promise<PredictionRead> {
  return parsePrediction(await readFile(file));
}

/** Reads the bytes of a CSV file, as strictly as scoring does. */
export function parsePrediction(bytes: Uint8Array): PredictionRead {
  let columns: readonly string[] = [];
  const rows: (readonly string[])[] = [];
  const reader = csvReader({
    header: (cells) => {
      columns = [...cells];
    },
    row: (cells) => {
      rows.push([...cells]);
    },
  });
  try {
    reader.push(bytes);
    reader.end();
  } catch (error) {
    if (error instanceof CsvError) return { ok: false, reason: error.message };
    throw error;
  }
  return { ok: true, table: { columns, types: columns.map(() => "VARCHAR"), rows } };
}
