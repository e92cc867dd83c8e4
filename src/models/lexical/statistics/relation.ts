import type { Schema } from "../schema/schema.js";
import { conditionSql } from "../sql/conditions.js";
import { computable, shown, type Writer } from "../sql/expressions.js";
import { joinTables } from "../sql/joins.js";
import { type Condition, refsOfCondition, refsOfValue, type Value } from "../sql/plan.js";
import { writePlan } from "../sql/write-plan.js";

/** Collects the columns that statistics need, under short names, and writes the relation that has them. */
export interface Relation {
  /** The short name of a value, ready to compute with. */
  readonly numeric: (value: Value) => string;
  /** The short name of a value as it is stored. */
  readonly stored: (value: Value) => string;
  /** A condition over the relation's rows, as the name of a column that is true or false. */
  readonly test: (condition: Condition) => string;
  /** `base AS (…)`. Call it last. */
  readonly sql: () => string;
}

export function createRelation(schema: Schema, root: string, where: readonly Condition[]): Relation {
  const columns = new Map<
    string,
    {
      readonly name: string;
      readonly write: (writer: Writer) => string;
      readonly refs: readonly Condition[] | readonly Value[];
    }
  >();
  const add = (key: string, refs: readonly Value[] | readonly Condition[], write: (writer: Writer) => string) => {
    const known = columns.get(key);
    if (known !== undefined) return known.name;
    const name = `v${columns.size + 1}`;
    columns.set(key, { name, write, refs });
    return name;
  };
  const sub = (writer: Writer, condition: Condition) =>
    conditionSql(condition, writer, (plan) => writePlan(plan, schema));
  return {
    numeric: (value) => add(`numeric ${JSON.stringify(value)}`, [value], (writer) => computable(value, writer)),
    stored: (value) => add(`stored ${JSON.stringify(value)}`, [value], (writer) => shown(value, writer)),
    test: (condition) =>
      add(`test ${JSON.stringify(condition)}`, [condition], (writer) => `coalesce(${sub(writer, condition)}, false)`),
    sql: () => {
      const refs = [...columns.values()].flatMap((column) => column.refs.flatMap(refsOf));
      const joins = joinTables(schema, root, [...refs, ...where.flatMap(refsOfCondition)], [], "JOIN");
      const writer: Writer = { schema, column: joins.column };
      const items = [...columns.values()].map((column) => `${column.write(writer)} AS ${column.name}`);
      const filter =
        where.length === 0 ? "" : ` WHERE ${where.map((condition) => sub(writer, condition)).join(" AND ")}`;
      return `base AS (SELECT ${items.length === 0 ? "1 AS v0" : items.join(", ")} ${joins.sql}${filter})`;
    },
  };
}

function refsOf(what: Value | Condition) {
  return isCondition(what) ? refsOfCondition(what) : refsOfValue(what);
}

const CONDITIONS: ReadonlySet<string> = new Set([
  "equals",
  "contains",
  "compare",
  "between",
  "period",
  "missing",
  "member",
  "all",
  "any",
]);

function isCondition(what: Value | Condition): what is Condition {
  return CONDITIONS.has(what.kind);
}
