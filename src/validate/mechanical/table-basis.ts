import type { CheckInput, CheckQuery } from "./check.js";
import { type Descriptions, descriptionsIn, type Look, looksOf } from "./sight.js";
import type { LightTable } from "./sql/reading.js";
import { sameName } from "./sql/resolve.js";
import { submittedReadings, usedTables } from "./submission.js";

/** What the use of a table rests on. */
export type Basis =
  /** Nothing: no call showed it, no document describes it. */
  | { readonly kind: "unseen" }
  /** Every look at it failed or was cut. */
  | { readonly kind: "truncated"; readonly looks: readonly Look[] }
  | { readonly kind: "seen"; readonly unseenColumns: readonly string[]; readonly looks: readonly Look[] };

export interface TableBasis {
  readonly table: LightTable;
  readonly basis: Basis;
}

/** For each table that the submitted queries read, what that rests on. `need` while a tree is missing. */
export function tableBases(
  input: CheckInput,
): { readonly need: readonly CheckQuery[] } | { readonly tables: readonly TableBasis[] } {
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const used = usedTables(read.submitted);
  const descriptions = descriptionsIn(input);
  const judge = (looks: readonly Look[]) =>
    used.map(({ table, columns }) => ({ table, basis: basisOf(table, columns, looks, descriptions) }));
  // The trees of probes are asked for only where the other calls leave something open.
  const tools = looksOf(input, { probes: false });
  if ("need" in tools) return tools;
  const tables = judge(tools.looks);
  if (tables.every(({ basis }) => basis.kind === "seen" && basis.unseenColumns.length === 0)) return { tables };
  const all = looksOf(input, { probes: true });
  return "need" in all ? all : { tables: judge(all.looks) };
}

function basisOf(
  table: LightTable,
  columns: readonly string[],
  all: readonly Look[],
  { describesTable, describesColumn }: Descriptions,
): Basis {
  const own = all.filter((look) => sameName(look.table, table.name));
  const isDescribed = describesTable(table);
  if (own.length === 0 && !isDescribed) return { kind: "unseen" };
  const looks = own.filter(({ kind }) => kind !== "link");
  if (looks.length > 0 && !isDescribed && !looks.some((look) => isWhole(look, columns)))
    return { kind: "truncated", looks };
  const seen = own.flatMap((look) => look.columns);
  const unseenColumns = columns.filter(
    (column) => !seen.some((one) => sameName(one, column)) && !describesColumn(column),
  );
  return { kind: "seen", unseenColumns, looks: own };
}

/** A profile that was cut is whole for what it shows of each column. */
function isWhole(look: Look, used: readonly string[]): boolean {
  if (look.shown === "whole") return true;
  const showsUsed = used.length > 0 && used.every((column) => look.columns.some((one) => sameName(one, column)));
  return look.kind === "profile" && look.shown === "cut" && showsUsed;
}
