import { textsUnder } from "../sql-tree.js";
import type { ColumnSource, Join, OutputColumn, Relation } from "./reading.js";
import { sameName } from "./resolve.js";

/** The columns that USING or NATURAL makes equal, a pair each: left, right. Those that are not catalog columns are left out. */
export function sharedColumns({ node, left, right }: Join): readonly (readonly [ColumnSource, ColumnSource])[] {
  const names =
    node.ref_type === "NATURAL" ? columnsOf(left).map(({ name }) => name) : textsUnder(node, "using_columns");
  return names.flatMap((name) => {
    const [one, other] = [sourceNamed(left, name), sourceNamed(right, name)];
    return one === null || other === null ? [] : [[one, other] as const];
  });
}

function sourceNamed(relations: readonly Relation[], name: string): ColumnSource | null {
  return columnsOf(relations).find((column) => sameName(column.name, name))?.source ?? null;
}

function columnsOf(relations: readonly Relation[]): readonly OutputColumn[] {
  return relations.flatMap(({ columns }) => columns ?? []);
}
