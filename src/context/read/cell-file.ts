import { appendFile } from "node:fs/promises";
import type { Uncertainty } from "../../core/catalog.js";
import type { Cell } from "./json-item.js";
import { readCsvCall, type StagedTable } from "./staged-table.js";

/** Rows of tagged cells on their way to the database, by way of a file. */
export interface CellFile {
  /** Adds a row; cells that are missing at its end are NULL. */
  add(cells: readonly Cell[]): void;
  /** Writes what was added, once it is worth it; to be awaited now and then, so that memory stays small. */
  flush(): Promise<void>;
  finish(): Promise<StagedCells>;
}

export type StagedCells = Pick<StagedTable, "select" | "cells" | "expected" | "uncertainties">;

const FLUSH_AT = 1 << 20;

/** Opens a file for rows of `width` cells (at least 1). It is ours: every cell in quotes, the row's number in front, no header. */
export function openCellFile(path: string, width: number, source: string): CellFile {
  const filled: number[] = Array.from({ length: width }, () => 0);
  let rows = 0;
  let newlinesInCells = false;
  let longestRecord = 0;
  let damaged = 0;
  let pending: string[] = [];
  let size = 0;

  async function write(): Promise<void> {
    await appendFile(path, pending.join(""));
    pending = [];
    size = 0;
  }

  function quoted(cell: string): string {
    if (/[\n\r\ud800-\udfff]/.test(cell)) {
      newlinesInCells ||= /[\n\r]/.test(cell);
      if (/\p{Surrogate}/u.test(cell)) damaged += 1;
    }
    return cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : `"${cell}"`;
  }

  return {
    add(cells) {
      const parts = [String(rows)];
      for (let i = 0; i < width; i++) {
        const cell = cells[i] ?? null;
        parts.push(cell === null ? "" : quoted(cell));
        if (cell !== null) filled[i] = (filled[i] ?? 0) + 1;
      }
      rows += 1;
      const line = parts.join(",");
      // A UTF-16 unit is at most 3 bytes of UTF-8.
      longestRecord = Math.max(longestRecord, line.length * 3);
      size += line.length;
      pending.push(line, "\n");
    },
    async flush() {
      if (size >= FLUSH_AT) await write();
    },
    async finish() {
      await write();
      const names = filled.map((_, i) => `c${i}`);
      const from = readCsvCall({
        path,
        columns: ["row", ...names],
        delimiter: ",",
        lineEnd: "lf",
        skip: 0,
        quotedEmptyIsText: true,
        newlinesInCells,
        longestRecord,
      });
      const detail = `${damaged} texts hold half of a surrogate pair, which is no character; it was read as U+FFFD.`;
      return {
        select: `SELECT * EXCLUDE (row) FROM ${from}`,
        cells: "tagged",
        expected: { rows, filled, bytes: null },
        uncertainties: damaged > 0 ? [{ source, code: "invalid-characters", detail } satisfies Uncertainty] : [],
      };
    },
  };
}
