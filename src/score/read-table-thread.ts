import { parentPort, workerData } from "node:worker_threads";
import type { TableRequest } from "./read-large-table.js";
import { readCells, readColumns } from "./read-table.js";

/** Entry of the thread that reads one large table: `workerData` is the request, its only message the reading. */
const { kind, file, thousands }: TableRequest = workerData;
parentPort?.postMessage(await (kind === "columns" ? readColumns : readCells)(file, { thousands }));
