import { columnOf, isIdentifier, isNumeric, keyOf } from "../schema/schema.js";
import { columnValue, type Measure, type Plan, plan, ref, type SelectItem, type Value } from "../sql/plan.js";
import type { Understanding } from "./compose.js";
import { havingPlan, withoutConditions } from "./having.js";
import { conditionsOf, countRows, item, orderOf, rankingOf, selectItems, superlativeCondition } from "./plan-parts.js";
import { lowerAt, type Question } from "./question.js";
import { rootTable, tableBefore } from "./roots.js";
import { readTargets, type Target } from "./targets.js";

/** `How many …`, `the number of …`, `how much …`: counts rows or different values, or adds up a field. */
export function countPlan(understanding: Understanding): Plan {
  const { reading, grouping, superlative } = understanding;
  const { question } = reading;
  const target = countedTarget(understanding);
  const counted = target === null ? countRows(entity(understanding)) : onAverage(question, measureOf(question, target));
  const root = rootOf(understanding, target, counted);
  const where = [...conditionsOf(reading), ...withoutConditions(understanding, root)];
  if (superlative !== null && superlative.by.kind === "value") {
    const picked = superlativeCondition(understanding, superlative);
    if (picked !== null) where.push(picked);
  }
  const having = havingPlan(understanding, root);
  if (having !== null)
    return plan(root, {
      select: [{ kind: "measure", measure: counted, name: "count" }],
      where: [...where.filter((condition) => !having.inner.includes(condition)), having.condition],
    });
  const measure: SelectItem = { kind: "measure", measure: counted, name: "count" };
  if (grouping !== null && grouping.keys.length > 0) {
    return plan(root, {
      select: [...grouping.keys.map((key) => item(key, keyName(key))), measure],
      where,
      group: grouping.keys,
    });
  }
  const also = secondTargets(understanding);
  if (also.length > 0 && superlative !== null && superlative.by.kind !== "value") {
    return plan(root, {
      select: [...also, measure],
      where,
      group: also.flatMap((one) => (one.kind === "value" ? [one.value] : [])),
      order: orderOf(superlative, rankingOf(question, superlative, root)),
    });
  }
  return plan(root, { select: [measure], where });
}

/** `how many seats … on average`. */
function onAverage(question: Question, measure: Measure): Measure {
  const said = question.tokens.some(
    (token, index) => token.lower === "average" && lowerAt(question, index - 1) === "on",
  );
  return said && measure.kind === "aggregate" && measure.fn === "sum" ? { ...measure, fn: "avg" } : measure;
}

/** How a group key is called in the answer. */
export function keyName(value: Value): string {
  if (value.kind === "column") return value.ref.column;
  return value.kind === "date-part" ? value.part : "key";
}

function countedTarget(understanding: Understanding): Target | null {
  const { reading, head } = understanding;
  const described = describedRows(understanding);
  if (described !== null) return described;
  const phrase = readTargets(reading, head);
  const first = phrase.targets[0];
  if (first === undefined) return null;
  const named = first.kind === "term" ? null : first.mention;
  if (named !== null && named.from >= 0 && named.from > head.to + 4 && lowerAt(reading.question, head.to) === "of") {
    const them = ["them", "these", "those", "they"].includes(lowerAt(reading.question, head.to + 1));
    if (them) return null;
  }
  if (
    ["of them", "are there"].includes(
      `${lowerAt(reading.question, head.to)} ${lowerAt(reading.question, head.to + 1)}`,
    ) &&
    named !== null &&
    named.from > head.to + 3
  )
    return null;
  return first;
}

/** `how many first officers are …`: a value alone says what is counted; the rows that have it. */
function describedRows({ reading, head }: Understanding): Target | null {
  const { question } = reading;
  const mention = question.mentions.find(({ from }) => from >= head.to);
  if (mention === undefined || mention.from > head.to + 1 || !reading.used.has(mention) || mention.values.length === 0)
    return null;
  if (!/^(is|are|was|were|have|has|had|do|does|did|who|that|in|with|from)$/.test(lowerAt(question, mention.to)))
    return null;
  const condition = reading.conditions.find(({ from }) => from === mention.from)?.what;
  const table =
    condition?.kind === "equals" ? question.schema.tables.find(({ name }) => name === condition.ref.table) : undefined;
  return table === undefined ? null : { kind: "count", table, mention };
}

function measureOf(question: Question, target: Target): Measure {
  if (target.kind === "value") return { kind: "count-distinct", of: target.value, where: [] };
  if (target.kind === "label" || target.kind === "count") return countRows(target.table.name);
  if (target.kind === "term") {
    const [shown] = selectItems(question, { ...target, fn: target.fn ?? "sum" });
    return shown?.kind === "measure" ? shown.measure : countRows(question.schema.tables[0]?.name ?? "");
  }
  const column = columnOf(question.schema, target.ref);
  const value = columnValue(target.ref);
  if (isNumeric(column) && !isIdentifier(column) && !target.distinct)
    return { kind: "aggregate", fn: target.fn ?? "sum", of: value, distinct: false, where: [] };
  return { kind: "count-distinct", of: value, where: [] };
}

function rootOf(understanding: Understanding, target: Target | null, measure: Measure): string {
  if (target?.kind === "column") return target.ref.table;
  if (measure.kind === "count-rows") return measure.table;
  return entity(understanding);
}

/** What is counted when the question only says `them`. */
function entity(understanding: Understanding): string {
  return (
    tableBefore(understanding.reading.question, understanding.head.from) ??
    rootTable(understanding.reading, understanding.head.end)
  );
}

/** What a second question asks for beside the count. */
function secondTargets(understanding: Understanding): readonly SelectItem[] {
  const { reading, heads } = understanding;
  return heads.slice(1).flatMap((head) =>
    readTargets(reading, head)
      .targets.filter((target) => target.kind !== "count")
      .flatMap((target) => selectItems(reading.question, target)),
  );
}

export function keyRef(question: Question, tableName: string) {
  const table = question.schema.tables.find((candidate) => candidate.name === tableName);
  const key = table === undefined ? null : keyOf(table);
  return key === null ? null : ref({ table: tableName, column: key.name });
}
