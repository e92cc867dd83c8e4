import type { Readable } from "node:stream";
import type { OverlayTable } from "../core/overlay.js";
import type { GateTable } from "./sql-gate.js";

/** What the parent writes to the query child: one line of JSON each. */
export type ChildRequest =
  | { readonly kind: "open"; readonly database: string; readonly tables: readonly GateTable[] }
  | {
      readonly kind: "query";
      readonly sql: string;
      readonly max_rows: number;
      readonly overlay: readonly OverlayTable[];
    }
  | { readonly kind: "parse"; readonly sql: string }
  /** Stops the query in progress; without one it does nothing. */
  | { readonly kind: "interrupt" };

export type Row = readonly (string | null)[];

/** What the child answers: `ready` to open; rows* and done, tree or failed to query and parse. */
export type ChildReply =
  | { readonly kind: "ready" }
  | { readonly kind: "rows"; readonly rows: readonly Row[] }
  | {
      readonly kind: "done";
      readonly columns: readonly string[];
      readonly types: readonly string[];
      readonly truncated: boolean;
    }
  | { readonly kind: "tree"; readonly tree: unknown }
  | {
      readonly kind: "failed";
      readonly code: "refused" | "sql-error" | "interrupted" | "cannot-open";
      readonly message: string;
    };

/** Calls `handle` with each complete line, in order. A line may be of any length and come in any number of pieces. */
export function onLines(stream: Readable, handle: (line: string) => void): void {
  let pieces: Buffer[] = [];
  stream.on("data", (data: Buffer) => {
    let start = 0;
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, start)) {
      pieces.push(data.subarray(start, end));
      const line = Buffer.concat(pieces).toString("utf8");
      pieces = [];
      start = end + 1;
      handle(line);
    }
    if (start < data.length) pieces.push(data.subarray(start));
  });
}
