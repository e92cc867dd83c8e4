import { z } from "zod";
import { jsonInReply, quotedReply } from "../../core/reply-json.js";
import type { DocumentRecord } from "./document-blocks.js";
import { lineRanges, type Passage, runsOf } from "./passages.js";
import { joinedLines, standingValue } from "./standing-value.js";

/** Lines that one row may cite: with more, nothing would be told by them. */
export const MOST_LINES = 10;

/** A row that the extractor gave and that is not taken, because code could not find it in the document. */
export interface LeftOut {
  readonly lines: string;
  readonly why: "no-lines" | "too-many-lines" | "lines-not-in-passage" | "unknown-field" | "not-in-lines" | "repeated";
  readonly field?: string;
  readonly value?: string;
}

type PassageRows =
  | { readonly ok: true; readonly records: readonly DocumentRecord[]; readonly left_out: readonly LeftOut[] }
  | { readonly ok: false; readonly error: string };

const cell = z.union([z.string(), z.number(), z.null()]);
const reply = z.object({
  rows: z.array(z.object({ lines: z.array(z.int()), values: z.record(z.string(), cell) })),
});

const VALUE_CHARACTERS = 100;

/**
 * The rows of an extractor's reply `{"rows": [{"lines": [12, 13], "values": {"field": "text"}}]}` about a passage, each of them held to the
 * passage: every value must stand in the lines that its row cites, or the row is left out. Rows with no value say nothing and are none.
 * Not ok where the reply is not of this form.
 */
export function passageRows(
  content: string | null,
  passage: Passage,
  fields: readonly string[],
  sectionAt: (line: number) => string | null,
): PassageRows {
  const given = jsonInReply(content ?? "");
  if (given === null) return { ok: false, error: `the reply is not a JSON object: ${quotedReply(content ?? "")}` };
  const parsed = reply.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "the reply" : issue.path.join(".");
    return { ok: false, error: `${where}: ${issue?.message ?? "not of the form that was asked for"}` };
  }
  const records: DocumentRecord[] = [];
  const left_out: LeftOut[] = [];
  const taken = new Set<string>();
  for (const row of parsed.data.rows) {
    const read = rowOf(row, passage, fields);
    if (read === null) continue;
    const key = "why" in read ? "" : JSON.stringify([read.lines, [...read.values]]);
    if ("why" in read) left_out.push(read);
    else if (taken.has(key)) left_out.push({ lines: lineRanges(read.lines), why: "repeated" });
    else records.push(recordOf(read, sectionAt));
    taken.add(key);
  }
  return { ok: true, records, left_out };
}

type GivenRow = z.infer<typeof reply>["rows"][number];

interface ReadRow {
  readonly lines: readonly number[];
  readonly values: ReadonlyMap<string, string>;
}

function rowOf(row: GivenRow, passage: Passage, fields: readonly string[]): ReadRow | LeftOut | null {
  const given = Object.entries(row.values).flatMap(([name, value]): [string, string][] =>
    value === null || String(value).trim() === "" ? [] : [[name, String(value).trim()]],
  );
  if (given.length === 0) return null;
  const lines = [...new Set(row.lines)].sort((a, b) => a - b);
  const leave = (why: LeftOut["why"], more: Pick<LeftOut, "field" | "value"> = {}): LeftOut => ({
    lines: lineRanges(lines.slice(0, MOST_LINES)),
    why,
    ...more,
  });
  if (lines.length === 0) return leave("no-lines");
  if (lines.length > MOST_LINES) return leave("too-many-lines");
  if (!lines.every((number) => passage.some(({ line }) => line === number))) return leave("lines-not-in-passage");
  const stretches = textsOf(lines, passage);
  const values = new Map<string, string>();
  for (const [name, value] of given) {
    const field = fields.find((one) => one.trim().toLowerCase() === name.trim().toLowerCase());
    if (field === undefined) return leave("unknown-field", { field: name.slice(0, VALUE_CHARACTERS) });
    const found = stretches.flatMap((text) => standingValue(value, text) ?? [])[0];
    if (found === undefined) return leave("not-in-lines", { field, value: value.slice(0, VALUE_CHARACTERS) });
    values.set(field, found);
  }
  return { lines, values };
}

/** The cited lines' texts; neighbouring lines are one, so that a value may go on from one to the next. */
function textsOf(lines: readonly number[], passage: Passage): string[] {
  return runsOf(lines).map(([first, last]) =>
    joinedLines(passage.filter(({ line }) => line >= first && line <= last).map(({ text }) => text)),
  );
}

function recordOf({ lines, values }: ReadRow, sectionAt: (line: number) => string | null): DocumentRecord {
  const [first_line = 0] = lines;
  const last_line = lines.at(-1) ?? first_line;
  return { section: sectionAt(last_line), first_line, last_line, cited_lines: lines, values };
}
