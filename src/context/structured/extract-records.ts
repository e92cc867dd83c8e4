import type { OverlayTable } from "../../core/overlay.js";
import { nameColumns } from "../names.js";
import type { DocumentBlock, DocumentRecord } from "./document-blocks.js";
import { lineRanges } from "./passages.js";
import { type TypedColumn, typedColumn } from "./typed-column.js";

/** Columns that every extracted table begins with: the record's section, and its lines (`12`, `14-17`, `12; 40-41` after merging). */
export const SECTION_COLUMN = "doc_section";
export const LINES_COLUMN = "doc_lines";

export interface Extraction {
  readonly table: Omit<OverlayTable, "name">;
  /** What became of each field, in the order of the columns after the first two. */
  readonly fields: readonly ExtractedField[];
  /** Records that went into another one's row. */
  readonly merged: number;
  /** Records without a value for the key: each stays a row of its own. */
  readonly without_key: number;
  readonly conflicts: readonly Conflict[];
}

interface ExtractedField extends Omit<TypedColumn, "cells"> {
  readonly field: string;
  /** Name in SQL. */
  readonly column: string;
  /** Records that have it. */
  readonly filled: number;
}

/** Records of one key that say different things of a field; the first in the document stands. */
interface Conflict {
  readonly key: string;
  readonly field: string;
  readonly kept: string;
  readonly kept_lines: string;
  readonly dropped: string;
  readonly dropped_lines: string;
}

interface Row {
  readonly section: string | null;
  readonly lines: string;
  readonly cells: readonly (string | null)[];
}

/** Fields of all blocks, equal ones (whatever their case) once, as the first block writes them. */
export function fieldsOf(blocks: readonly DocumentBlock[]): string[] {
  const fields = new Map<string, string>();
  for (const field of blocks.flatMap((block) => block.fields)) {
    if (!fields.has(sameName(field))) fields.set(sameName(field), field);
  }
  return [...fields.values()];
}

export function sameName(field: string): string {
  return field.trim().toLowerCase();
}

/**
 * The records of blocks as one table, a row each in the order of the document, or a row for each value of `key` (a field of `fields`, or
 * `doc_section`). Records with none of the fields are left out. Types and units are settled before merging, so that `1 kg` and `1000 g` agree.
 */
export function extractRecords(
  blocks: readonly DocumentBlock[],
  fields: readonly string[],
  key: string | null,
): Extraction {
  const wanted = new Set(fields.map(sameName));
  const records = blocks
    .flatMap((block) => block.records)
    .filter(({ values }) => [...values.keys()].some((field) => wanted.has(sameName(field))));
  const typed = fields.map((field) =>
    typedColumn(
      field,
      records.map((record) => textOf(record, field)),
    ),
  );
  const rows = records.map((record, index): Row => {
    return { section: record.section, lines: linesOf(record), cells: typed.map(({ cells }) => cells[index] ?? null) };
  });
  const { rows: merged, conflicts, without_key } = key === null ? unmerged(rows) : mergedBy(rows, fields, key);
  const names = nameColumns([SECTION_COLUMN, LINES_COLUMN, ...fields]).columns.map(({ name }) => name);
  return {
    table: {
      columns: names.map((name, index) => ({ name, type: typed[index - 2]?.type ?? "VARCHAR" })),
      rows: merged.map(({ section, lines, cells }) => [section, lines, ...cells]),
    },
    fields: typed.map(({ cells, ...column }, index) => ({
      field: fields[index] ?? "",
      column: names[index + 2] ?? "",
      ...column,
      filled: cells.filter((cell) => cell !== null).length,
    })),
    merged: rows.length - merged.length,
    without_key,
    conflicts,
  };
}

function textOf({ values }: DocumentRecord, field: string): string | null {
  for (const [name, value] of values) if (sameName(name) === sameName(field)) return value;
  return null;
}

function linesOf({ first_line, last_line, cited_lines }: DocumentRecord): string {
  if (cited_lines !== undefined) return lineRanges(cited_lines);
  return first_line === last_line ? String(first_line) : `${first_line}-${last_line}`;
}

interface Merge {
  readonly rows: readonly Row[];
  readonly conflicts: readonly Conflict[];
  readonly without_key: number;
}

function unmerged(rows: readonly Row[]): Merge {
  return { rows, conflicts: [], without_key: 0 };
}

function mergedBy(rows: readonly Row[], fields: readonly string[], key: string): Merge {
  const position = fields.findIndex((field) => sameName(field) === sameName(key));
  const keyOf = ({ section, cells }: Row) => (position === -1 ? section : (cells[position] ?? null));
  const groups = new Map<string | Row, Row[]>();
  for (const row of rows) {
    const group = keyOf(row) ?? row;
    const others = groups.get(group);
    if (others === undefined) groups.set(group, [row]);
    else others.push(row);
  }
  const conflicts: Conflict[] = [];
  const merged = [...groups].map(([name, group]) =>
    joined(group, (field, kept, dropped) =>
      conflicts.push({ key: typeof name === "string" ? name : "", field: fields[field] ?? "", ...kept, ...dropped }),
    ),
  );
  return { rows: merged, conflicts, without_key: rows.filter((row) => keyOf(row) === null).length };
}

type OnConflict = (
  field: number,
  kept: { readonly kept: string; readonly kept_lines: string },
  dropped: { readonly dropped: string; readonly dropped_lines: string },
) => void;

/** One row of several: of each field the first value, with the lines of all. */
function joined(group: readonly Row[], onConflict: OnConflict): Row {
  const width = group[0]?.cells.length ?? 0;
  const cells = Array.from({ length: width }, (_, field) => {
    const [first, ...others] = group.flatMap(({ cells: own, lines }) => {
      const value = own[field] ?? null;
      return value === null ? [] : [{ value, lines }];
    });
    if (first === undefined) return null;
    for (const { value, lines } of others) {
      if (value === first.value) continue;
      onConflict(field, { kept: first.value, kept_lines: first.lines }, { dropped: value, dropped_lines: lines });
    }
    return first.value;
  });
  return { section: group[0]?.section ?? null, lines: group.map(({ lines }) => lines).join("; "), cells };
}
