import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import {
  type CellTable,
  type ColumnTable,
  type Reading,
  type ReadingOptions,
  readCells,
  readColumns,
} from "./read-table.js";

/** What a table file can be read down to. */
export interface Tables {
  readonly columns: ColumnTable;
  readonly cells: CellTable;
}

/** What the thread is asked for. */
export interface TableRequest extends ReadingOptions {
  readonly kind: keyof Tables;
  readonly file: string;
}

/** Files from this size on are read in a thread of their own, which takes about 50 ms to start. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Threads run compiled code, also when this runs from the TypeScript sources: both trees have the same depth. */
const ENTRY = fileURLToPath(new URL("../../dist/score/read-table-thread.js", import.meta.url));

/** A machine has as many cores as it has, whoever reads. */
const threads = pLimit(availableParallelism());

const read: {
  readonly [Kind in keyof Tables]: (file: string, options: ReadingOptions) => Promise<Reading<Tables[Kind]>>;
} = {
  columns: readColumns,
  cells: readCells,
};

/**
 * Reads a CSV file down to what `kind` says. Large ones are read beside whatever else goes on: trials in flight do not wait for a million rows, and
 * prediction and gold are read at the same time. Never rejects for what is in the file.
 */
export function readTable<Kind extends keyof Tables>(
  kind: Kind,
  file: string,
  options: ReadingOptions,
): Promise<Reading<Tables[Kind]>> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LARGE_BYTES) return read[kind](file, options);
  return threads(() => inThread({ kind, file, thousands: options.thousands }));
}

function inThread<Kind extends keyof Tables>(
  request: TableRequest & { readonly kind: Kind },
): Promise<Reading<Tables[Kind]>> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(ENTRY, { workerData: request, execArgv: [] });
    thread.once("message", (reading: Reading<Tables[Kind]>) => resolve(reading));
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the thread that read ${request.file} ended with ${code}`)));
  });
}
