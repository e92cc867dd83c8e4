import type { ColumnName, Edge } from "../schema/schema.js";

/** A column, and the link that its table is reached by when there is more than one (eye colour, scale colour). */
export interface Ref extends ColumnName {
  readonly via: Edge | null;
}

export type Operator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** Something that has one value a row. */
export type Value =
  | { readonly kind: "column"; readonly ref: Ref }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "formula"; readonly operator: "+" | "-" | "*" | "/"; readonly left: Value; readonly right: Value }
  | { readonly kind: "date-part"; readonly part: "year" | "month" | "day" | "weekday"; readonly of: Ref }
  | {
      readonly kind: "function";
      readonly name: "ln" | "log10" | "log2" | "sqrt" | "abs" | "length";
      readonly of: Value;
    }
  | { readonly kind: "age"; readonly of: Ref; readonly on: Ref | null }
  /** An expression that a document gives, its columns already quoted and qualified by `{table.column}` marks. */
  | { readonly kind: "written"; readonly sql: readonly (string | Ref)[] };

export type Condition =
  | { readonly kind: "equals"; readonly ref: Ref; readonly values: readonly string[]; readonly negated: boolean }
  | { readonly kind: "contains"; readonly ref: Ref; readonly text: string; readonly negated: boolean }
  | { readonly kind: "compare"; readonly left: Value; readonly operator: Operator; readonly right: Operand }
  | { readonly kind: "between"; readonly left: Value; readonly low: Operand; readonly high: Operand }
  /** From the first day (inclusive) to the last (exclusive), ISO dates; null is open. */
  | {
      readonly kind: "period";
      readonly ref: Ref;
      readonly from: string | null;
      readonly to: string | null;
      readonly negated: boolean;
    }
  | { readonly kind: "missing"; readonly ref: Ref; readonly negated: boolean }
  | { readonly kind: "member"; readonly ref: Ref; readonly of: Plan; readonly negated: boolean }
  | { readonly kind: "written"; readonly sql: readonly (string | Ref)[] }
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] };

export type Operand =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "plan"; readonly plan: Plan; readonly factor: number };

export type AggregateFunction =
  | "sum"
  | "avg"
  | "min"
  | "max"
  | "median"
  | "mode"
  | "stddev_samp"
  | "stddev_pop"
  | "var_samp"
  | "var_pop";

/** Something that has one value a group. `where` narrows the rows of this measure alone. */
export type Measure =
  | { readonly kind: "count-rows"; readonly table: string; readonly where: readonly Condition[] }
  | { readonly kind: "count-distinct"; readonly of: Value; readonly where: readonly Condition[] }
  | {
      readonly kind: "aggregate";
      readonly fn: AggregateFunction;
      readonly of: Value;
      readonly distinct: boolean;
      readonly where: readonly Condition[];
    }
  | { readonly kind: "correlation"; readonly left: Value; readonly right: Value; readonly where: readonly Condition[] }
  | {
      readonly kind: "arithmetic";
      readonly operator: "+" | "-" | "*" | "/";
      readonly left: Measure;
      readonly right: Measure;
    }
  | { readonly kind: "number"; readonly value: number }
  /** An expression with aggregates that a document gives. */
  | { readonly kind: "written"; readonly sql: readonly (string | Ref)[] };

export type SelectItem =
  | { readonly kind: "value"; readonly value: Value; readonly name: string }
  | { readonly kind: "measure"; readonly measure: Measure; readonly name: string };

/** What rows or groups are ranked by. */
export type Ranking =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "measure"; readonly measure: Measure };

export interface Order {
  readonly by: Ranking;
  readonly descending: boolean;
  /** How many, after how many. */
  readonly take: number;
  readonly skip: number;
  /** Keeps every row that shares the last place. */
  readonly ties: boolean;
}

/** What a question asks, ready to be written as SQL. */
export interface Plan {
  /** The table whose rows are listed or counted. */
  readonly root: string;
  readonly select: readonly SelectItem[];
  readonly where: readonly Condition[];
  /** One group for each combination; empty with measures: one group of all rows. */
  readonly group: readonly Value[];
  readonly having: readonly { readonly measure: Measure; readonly operator: Operator; readonly value: number }[];
  readonly order: Order | null;
  /** Null: once for each row of the root table. */
  readonly distinct: boolean | null;
}

export function plan(root: string, parts: Partial<Omit<Plan, "root">>): Plan {
  return { root, select: [], where: [], group: [], having: [], order: null, distinct: null, ...parts };
}

export function ref(column: ColumnName, via: Edge | null = null): Ref {
  return { table: column.table, column: column.column, via };
}

export function columnValue(of: Ref): Value {
  return { kind: "column", ref: of };
}

/** Every column that a value reads. */
export function refsOfValue(value: Value): readonly Ref[] {
  switch (value.kind) {
    case "column":
      return [value.ref];
    case "formula":
      return [...refsOfValue(value.left), ...refsOfValue(value.right)];
    case "date-part":
      return [value.of];
    case "age":
      return value.on === null ? [value.of] : [value.of, value.on];
    case "function":
      return refsOfValue(value.of);
    case "written":
      return value.sql.filter((part) => typeof part !== "string");
    case "number":
      return [];
  }
}

/** Every column that a condition reads outside its own sub-plans. */
export function refsOfCondition(condition: Condition): readonly Ref[] {
  switch (condition.kind) {
    case "equals":
    case "contains":
    case "period":
    case "missing":
    case "member":
      return [condition.ref];
    case "compare":
      return [...refsOfValue(condition.left), ...refsOfOperand(condition.right)];
    case "between":
      return [...refsOfValue(condition.left), ...refsOfOperand(condition.low), ...refsOfOperand(condition.high)];
    case "written":
      return condition.sql.filter((part) => typeof part !== "string");
    case "all":
    case "any":
      return condition.of.flatMap(refsOfCondition);
  }
}

function refsOfOperand(operand: Operand): readonly Ref[] {
  return operand.kind === "value" ? refsOfValue(operand.value) : [];
}

/** Every column that a measure reads. */
export function refsOfMeasure(measure: Measure): readonly Ref[] {
  switch (measure.kind) {
    case "count-rows":
      return measure.where.flatMap(refsOfCondition);
    case "count-distinct":
    case "aggregate":
      return [...refsOfValue(measure.of), ...measure.where.flatMap(refsOfCondition)];
    case "correlation":
      return [...refsOfValue(measure.left), ...refsOfValue(measure.right), ...measure.where.flatMap(refsOfCondition)];
    case "arithmetic":
      return [...refsOfMeasure(measure.left), ...refsOfMeasure(measure.right)];
    case "written":
      return measure.sql.filter((part) => typeof part !== "string");
    case "number":
      return [];
  }
}

/** Tables that a measure counts rows of, besides those of its columns. */
export function tablesOfMeasure(measure: Measure): readonly string[] {
  if (measure.kind === "count-rows") return [measure.table];
  return measure.kind === "arithmetic" ? [...tablesOfMeasure(measure.left), ...tablesOfMeasure(measure.right)] : [];
}
