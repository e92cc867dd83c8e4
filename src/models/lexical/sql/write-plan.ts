import { keyOf, type Schema, tableOf } from "../schema/schema.js";
import { conditionSql } from "./conditions.js";
import { computable, shown, type Writer, written } from "./expressions.js";
import { type Joins, joinTables } from "./joins.js";
import { quoteName } from "./names.js";
import {
  type Condition,
  type Measure,
  type Order,
  type Plan,
  type Ranking,
  refsOfCondition,
  refsOfMeasure,
  refsOfValue,
  type SelectItem,
  tablesOfMeasure,
} from "./plan.js";

interface Scope extends Writer {
  readonly joins: Joins;
  readonly plan: Plan;
}

/** One SELECT for a plan. Conditions on tables that nothing links are left out. */
export function writePlan(plan: Plan, schema: Schema): string {
  const parts: readonly Ranking[] = [
    ...plan.select,
    ...plan.having.map(({ measure }): Ranking => ({ kind: "measure", measure })),
    ...(plan.order === null ? [] : [plan.order.by]),
  ];
  const refs = [...parts.flatMap(refsOf), ...plan.where.flatMap(refsOfCondition), ...plan.group.flatMap(refsOfValue)];
  const tables = parts.flatMap((part) => (part.kind === "measure" ? tablesOfMeasure(part.measure) : []));
  const how = plan.select.some(narrowsRows) ? "LEFT JOIN" : "JOIN";
  const joins = joinTables(schema, plan.root, refs, tables, how);
  const scope: Scope = { schema, column: joins.column, joins, plan };
  return isOverUniqueRows(plan, scope) ? overDistinctRows(plan, scope) : select(plan, scope);
}

const refsOf = (part: Ranking) => (part.kind === "measure" ? refsOfMeasure(part.measure) : refsOfValue(part.value));

/** Measures with conditions of their own must not lose rows to a join that only one of them needs. */
function narrowsRows(item: SelectItem): boolean {
  const own = (measure: Measure): boolean => {
    if (measure.kind === "arithmetic") return own(measure.left) || own(measure.right);
    return measure.kind !== "number" && measure.kind !== "written" && measure.where.length > 0;
  };
  return item.kind === "measure" && own(item.measure);
}

function select(plan: Plan, scope: Scope): string {
  const items = plan.select.map((item) => `${itemSql(item, scope)} AS ${quoteName(item.name)}`);
  const clauses = [
    `SELECT ${isDistinct(plan, scope) ? "DISTINCT " : ""}${items.join(", ")}`,
    scope.joins.sql,
    whereSql(plan, scope),
    groupSql(plan, scope),
    havingSql(plan, scope),
    plan.order === null ? "" : orderSql(plan.order, scope),
  ];
  return clauses.filter(Boolean).join(" ");
}

function isDistinct(plan: Plan, scope: Scope): boolean {
  if (plan.group.length > 0 || plan.select.some((item) => item.kind === "measure")) return false;
  if (plan.order !== null && !plan.order.ties) return false;
  return plan.distinct ?? scope.joins.fansOut;
}

function itemSql(item: SelectItem, scope: Scope): string {
  return item.kind === "value" ? shown(item.value, scope) : measureSql(item.measure, scope);
}

function reachable(condition: Condition, scope: Scope): boolean {
  return refsOfCondition(condition).every((ref) => !scope.joins.unreachable.has(ref.table));
}

function allOf(conditions: readonly Condition[], scope: Scope): string {
  return conditions
    .filter((condition) => reachable(condition, scope))
    .map((condition) => conditionSql(condition, scope, (plan) => writePlan(plan, scope.schema)))
    .join(" AND ");
}

function whereSql(plan: Plan, scope: Scope): string {
  const sql = allOf(plan.where, scope);
  return sql === "" ? "" : `WHERE ${sql}`;
}

function groupSql(plan: Plan, scope: Scope): string {
  return plan.group.length === 0 ? "" : `GROUP BY ${plan.group.map((value) => shown(value, scope)).join(", ")}`;
}

function havingSql(plan: Plan, scope: Scope): string {
  if (plan.having.length === 0) return "";
  const parts = plan.having.map(({ measure, operator, value }) => `${measureSql(measure, scope)} ${operator} ${value}`);
  return `HAVING ${parts.join(" AND ")}`;
}

function orderSql(order: Order, scope: Scope): string {
  const by = order.by.kind === "measure" ? measureSql(order.by.measure, scope) : computable(order.by.value, scope);
  const sorted = `ORDER BY ${by} ${order.descending ? "DESC" : "ASC"} NULLS LAST`;
  if (!order.ties) return `${sorted} LIMIT ${order.take}${order.skip > 0 ? ` OFFSET ${order.skip}` : ""}`;
  return `QUALIFY rank() OVER (${sorted}) ${order.skip > 0 ? `BETWEEN ${order.skip + 1} AND ${order.skip + order.take}` : `<= ${order.take}`}`;
}

/** A measure as SQL over the joined rows. */
function measureSql(measure: Measure, scope: Scope): string {
  switch (measure.kind) {
    case "count-rows":
      return countRows(measure.table, scope) + filterSql(measure.where, scope);
    case "count-distinct":
      return `count(DISTINCT ${shown(measure.of, scope)})${filterSql(measure.where, scope)}`;
    case "aggregate":
      return `${measure.fn}(${measure.distinct ? "DISTINCT " : ""}${computable(measure.of, scope)})${filterSql(measure.where, scope)}`;
    case "correlation":
      return `corr(${computable(measure.left, scope)}, ${computable(measure.right, scope)})${filterSql(measure.where, scope)}`;
    case "arithmetic":
      return arithmetic(measure, scope);
    case "written":
      return `(${written(measure.sql, scope)})`;
    case "number":
      return Number.isInteger(measure.value) ? `${measure.value}.0` : String(measure.value);
  }
}

function arithmetic(measure: Extract<Measure, { kind: "arithmetic" }>, scope: Scope): string {
  const left = measureSql(measure.left, scope);
  const right = measureSql(measure.right, scope);
  if (measure.operator !== "/") return `(${left} ${measure.operator} ${right})`;
  return `(CAST(${left} AS DOUBLE) / NULLIF(${right}, 0))`;
}

function filterSql(conditions: readonly Condition[], scope: Scope): string {
  const sql = allOf(conditions, scope);
  return sql === "" ? "" : ` FILTER (WHERE ${sql})`;
}

/** Counts rows of a table however often the joins repeat them. */
function countRows(table: string, scope: Scope): string {
  const key = keyOf(tableOf(scope.schema, table));
  const own = table === scope.plan.root && !scope.joins.fansOut;
  if (own) return "count(*)";
  if (key === null) return "count(*)";
  return `count(DISTINCT ${scope.column({ table, column: key.name, via: null })})`;
}

/** An average or sum over rows that joins repeat is taken over each root row once. */
function isOverUniqueRows(plan: Plan, scope: Scope): boolean {
  if (!scope.joins.fansOut || plan.group.length > 0 || plan.select.length !== 1) return false;
  const [item] = plan.select;
  if (item?.kind !== "measure" || item.measure.kind !== "aggregate" || item.measure.where.length > 0) return false;
  if (["min", "max"].includes(item.measure.fn)) return false;
  const fromRoot = refsOfMeasure(item.measure).every((ref) => ref.table === plan.root);
  return fromRoot && keyOf(tableOf(scope.schema, plan.root)) !== null;
}

function overDistinctRows(plan: Plan, scope: Scope): string {
  const [item] = plan.select;
  const key = keyOf(tableOf(scope.schema, plan.root));
  if (item?.kind !== "measure" || item.measure.kind !== "aggregate" || key === null) return select(plan, scope);
  const rows = [
    `SELECT DISTINCT ${scope.column({ table: plan.root, column: key.name, via: null })} AS row_key, ${computable(item.measure.of, scope)} AS row_value`,
    scope.joins.sql,
    whereSql(plan, scope),
  ];
  return `SELECT ${item.measure.fn}(row_value) AS ${quoteName(item.name)} FROM (${rows.filter(Boolean).join(" ")})`;
}
