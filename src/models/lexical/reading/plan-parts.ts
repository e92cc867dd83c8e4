import { keyOf, tableOf } from "../schema/schema.js";
import {
  type Condition,
  columnValue,
  type Measure,
  type Order,
  plan,
  type Ranking,
  ref,
  refsOfValue,
  type SelectItem,
  type Value,
} from "../sql/plan.js";
import type { Understanding } from "./compose.js";
import { labelValues } from "./groups.js";
import { labelColumns } from "./labels.js";
import type { Question, Reading } from "./question.js";
import { isOneToMany } from "./roots.js";
import type { Superlative } from "./superlatives.js";
import type { Target } from "./targets.js";
import { termMeasure, termValue } from "./terms.js";

export function conditionsOf(reading: Reading): readonly Condition[] {
  return reading.conditions.map(({ what }) => what);
}

export function countRows(table: string, where: readonly Condition[] = []): Measure {
  return { kind: "count-rows", table, where };
}

/** The columns or the measure that show one target. */
export function selectItems(question: Question, target: Target): readonly SelectItem[] {
  switch (target.kind) {
    case "label":
      return labelColumns(question.schema, target.table.name).map((column) =>
        item(columnValue(ref({ table: column.table, column: column.name })), column.name),
      );
    case "value":
      return [item(target.value, target.name)];
    case "count":
      return [{ kind: "measure", measure: countRows(target.table.name), name: `${target.table.name}_count` }];
    case "term": {
      const { term } = target.mention;
      const measure = term === null ? null : termMeasure(term);
      const value = term === null ? null : termValue(term);
      if (measure !== null) return [{ kind: "measure", measure, name: nameOf(term?.name ?? "answer") }];
      if (value === null) return [];
      return [
        target.fn === null
          ? item(value, nameOf(term?.name ?? "answer"))
          : aggregateItem(value, target.fn, nameOf(term?.name ?? "answer")),
      ];
    }
    case "column": {
      const value = columnValue(target.ref);
      return [
        target.fn === null
          ? item(value, target.ref.column)
          : aggregateItem(value, target.fn, `${target.fn}_${target.ref.column}`),
      ];
    }
  }
}

const nameOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");

export function item(value: Value, name: string): SelectItem {
  return { kind: "value", value, name };
}

function aggregateItem(of: Value, fn: Extract<Measure, { kind: "aggregate" }>["fn"], name: string): SelectItem {
  return { kind: "measure", measure: { kind: "aggregate", fn, of, distinct: false, where: [] }, name };
}

export function tableOfTarget(target: Target): string | null {
  if (target.kind === "column") return target.ref.table;
  return target.kind === "term" ? null : target.table.name;
}

/** The table that a superlative ranks rows of; null where it ranks what is asked for. */
export function rankedTable(superlative: Superlative): string | null {
  return superlative.by.kind === "value" ? (refsOfValue(superlative.by.value)[0]?.table ?? null) : null;
}

/** How groups or rows are ranked. `entity` is the table whose things are ranked. */
export function rankingOf(question: Question, superlative: Superlative, entity: string): Ranking {
  const { by } = superlative;
  if (by.kind === "frequency") return { kind: "measure", measure: countRows(entity) };
  if (by.kind === "count") {
    const key = keyOf(by.table);
    if (by.distinct && key !== null)
      return {
        kind: "measure",
        measure: {
          kind: "count-distinct",
          of: columnValue(ref({ table: by.table.name, column: key.name })),
          where: [],
        },
      };
    return { kind: "measure", measure: countRows(by.table.name) };
  }
  if (by.fn !== null)
    return { kind: "measure", measure: { kind: "aggregate", fn: by.fn, of: by.value, distinct: false, where: [] } };
  const table = rankedTable(superlative);
  const addsUp = superlative.amount && table !== null && isOneToMany(question.schema, entity, table);
  if (addsUp)
    return { kind: "measure", measure: { kind: "aggregate", fn: "sum", of: by.value, distinct: false, where: [] } };
  return { kind: "value", value: by.value };
}

export function orderOf(superlative: Superlative, by: Ranking): Order {
  return {
    by,
    descending: superlative.descending,
    take: superlative.take,
    skip: superlative.skip,
    ties: superlative.take === 1,
  };
}

/**
 * Narrows an aggregate to the things that a superlative picks: `how many skills does the longest dragon have`. Null where the
 * ranked table has no key.
 */
export function superlativeCondition(understanding: Understanding, superlative: Superlative): Condition | null {
  const { question } = understanding.reading;
  const table = rankedTable(superlative) ?? understanding.reading.question.schema.tables[0]?.name ?? null;
  if (table === null || superlative.by.kind !== "value") return null;
  const key = keyOf(tableOf(question.schema, table));
  if (key === null) return null;
  const column = ref({ table, column: key.name });
  const of = plan(table, {
    select: [item(columnValue(column), "picked")],
    where: understanding.reading.conditions.filter(({ what }) => touches(what, table)).map(({ what }) => what),
    order: orderOf(superlative, { kind: "value", value: superlative.by.value }),
  });
  return { kind: "member", ref: column, of, negated: false };
}

function touches(condition: Condition, table: string): boolean {
  return "ref" in condition
    ? condition.ref.table === table
    : "left" in condition && refsOfValue(condition.left).every((used) => used.table === table);
}

/** The values that tell groups of a target apart: its columns, and the key of a table that is shown by name. */
export function groupValues(question: Question, targets: readonly Target[]): readonly Value[] {
  return targets.flatMap((target): readonly Value[] => {
    if (target.kind === "column" && target.fn === null) return [columnValue(target.ref)];
    if (target.kind === "value") return [target.value];
    if (target.kind !== "label") return [];
    const key = keyOf(target.table);
    const label = labelValues(question, target.table.name);
    const keyValue = key === null ? [] : [columnValue(ref({ table: target.table.name, column: key.name }))];
    return [...keyValue, ...label];
  });
}
