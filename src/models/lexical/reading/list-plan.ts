import { columnOf, isIdentifier, isUnique, type Schema } from "../schema/schema.js";
import {
  type Condition,
  columnValue,
  type Measure,
  type Plan,
  plan,
  type SelectItem,
  type Value,
} from "../sql/plan.js";
import { gradeOf } from "../words/gradable.js";
import { isVerbForm } from "../words/stem.js";
import type { Understanding } from "./compose.js";
import { keyName, keyRef } from "./count-plan.js";
import { havingPlan, withoutConditions } from "./having.js";
import type { Head } from "./heads.js";
import { dateTarget, peopleTarget, placeTarget } from "./implied-targets.js";
import {
  conditionsOf,
  groupValues,
  item,
  orderOf,
  rankedTable,
  rankingOf,
  selectItems,
  superlativeCondition,
  tableOfTarget,
} from "./plan-parts.js";
import { lowerAt, mentionAt } from "./question.js";
import { gradedField } from "./ranked-by.js";
import { rootTable } from "./roots.js";
import type { Superlative } from "./superlatives.js";
import { readTargets, type Target } from "./targets.js";

/** `What is the …`, `Which …`, `List the …`: fields of rows, or aggregates of fields. */
export function listPlan(understanding: Understanding): Plan {
  const { reading, superlative, grouping } = understanding;
  const { question } = reading;
  const targets = askedTargets(understanding);
  const items = [...targets.flatMap((target) => selectItems(question, target)), ...formulaItems(understanding)];
  if (superlative !== null && isItselfAsked(understanding, superlative, items.length > 0))
    return extremePlan(understanding, superlative);
  const root = rootOf(understanding, targets);
  const shown =
    items.length > 0
      ? items
      : selectItems(question, { kind: "label", table: tableNamed(understanding, root), mention: null });
  const where = [...conditionsOf(reading), ...withoutConditions(understanding, root)];
  const having = havingPlan(understanding, root);
  const narrowed =
    having === null ? where : [...where.filter((condition) => !having.inner.includes(condition)), having.condition];
  const measures = shown.filter((one) => one.kind === "measure");
  if (grouping !== null && measures.length > 0) return groupedPlan(understanding, root, shown, narrowed);
  if (measures.length > 0) return measuredPlan(understanding, targets, root, shown, narrowed);
  if (superlative !== null) return rankedPlan(understanding, targets, root, shown, narrowed, superlative);
  return plan(root, {
    select: shown,
    where: narrowed,
    distinct: isAboutValues(targets, question.schema) ? true : null,
  });
}

/** One field whose values many rows share: each value once among the first. */
function repeats(targets: readonly Target[], schema: Schema): boolean {
  const [only] = targets;
  return targets.length === 1 && only?.kind === "column" && !isUnique(columnOf(schema, only.ref));
}

/** A field that is not its table's own name is listed once for each value, where rows repeat it. */
function isAboutValues(targets: readonly Target[], schema: Schema): boolean {
  if (targets.length > 0 && targets.every((target) => target.kind === "column" && target.distinct)) return true;
  const [only] = targets;
  if (only?.kind !== "column" || targets.length > 1) return false;
  const column = columnOf(schema, only.ref);
  return column.kind === "text" && column.distinct !== null && column.distinct <= column.rows / 2;
}

function tableNamed(understanding: Understanding, name: string) {
  const table = understanding.reading.question.schema.tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

/** All that is asked for: by the first head, and by later ones that name fields of their own. */
function askedTargets(understanding: Understanding): readonly Target[] {
  const { heads, head } = understanding;
  const first = targetsOf(understanding, head);
  const later = heads.slice(1).flatMap((other) => targetsOf(understanding, other, first));
  if (later.length === 0) return first;
  const onlyNames = first.every((target) => target.kind === "label");
  const sameSentence = heads.slice(1).some((other) => other.end === head.end);
  if (onlyNames && !sameSentence && later.some((target) => target.kind === "column")) return later;
  return withoutRepeats([...first, ...later]);
}

function withoutRepeats(targets: readonly Target[]): readonly Target[] {
  const seen = new Set<string>();
  return targets.filter((target) => {
    const name =
      target.kind === "column"
        ? `${target.ref.table}.${target.ref.column} ${target.fn}`
        : target.kind === "term"
          ? target.mention.from
          : `${target.kind} ${target.table.name}`;
    const fresh = !seen.has(String(name));
    seen.add(String(name));
    return fresh;
  });
}

function targetsOf(understanding: Understanding, head: Head, earlier: readonly Target[] = []): readonly Target[] {
  const { reading, formula } = understanding;
  const found = readTargets(reading, head, earlier).targets;
  const named =
    formula !== null && formula.from > head.from ? found.filter((target) => target.kind !== "label") : found;
  if (head.kind === "degree") return degreeTargets(understanding, head, named);
  if (head.kind === "when") return one(dateTarget(reading, head));
  if (head.kind === "where") return one(placeTarget(reading, head) ?? named[0] ?? null);
  if (head.kind === "count" && head !== understanding.head)
    return named.map((target) => asCount(understanding, target));
  if (head.kind === "who" && !startsWithNoun(understanding, head))
    return one(peopleTarget(reading) ?? named[0] ?? null);
  return named;
}

/** Things that a later question counts, said by their table or by its key. */
function asCount(understanding: Understanding, target: Target): Target {
  const mention = target.kind === "term" ? target.mention : (target.mention ?? emptyMention);
  if (target.kind === "label") return { kind: "count", table: target.table, mention };
  const isKey = target.kind === "column" && isIdentifier(columnOf(understanding.reading.question.schema, target.ref));
  return isKey ? { kind: "count", table: tableNamed(understanding, target.ref.table), mention } : target;
}

const emptyMention = { from: -1, to: -1, columns: [], tables: [], values: [], term: null };

const one = (target: Target | null): readonly Target[] => (target === null ? [] : [target]);

/** `Who is the owner …` names what is asked; `Who placed …` does not. */
function startsWithNoun(understanding: Understanding, head: Head): boolean {
  const { question } = understanding.reading;
  return /^(is|are|was|were|be)$/.test(lowerAt(question, head.to)) && !isVerbForm(lowerAt(question, head.to + 1));
}

/** `How old`, `how tall`: the field that the adjective measures. */
function degreeTargets(understanding: Understanding, head: Head, named: readonly Target[]): readonly Target[] {
  const { reading } = understanding;
  const grade = gradeOf(lowerAt(reading.question, head.to));
  const field = grade === null ? null : gradedField(reading, grade.gradable, head.to + 1);
  if (field === null) return named;
  return [
    {
      kind: "column",
      ref: field.ref,
      fn: null,
      distinct: false,
      mention: mentionAt(reading.question, head.to) ?? emptyMention,
    },
  ];
}

function formulaItems(understanding: Understanding): readonly SelectItem[] {
  const { formula, head, reading } = understanding;
  if (formula === null || formula.from < head.from) return [];
  const before = reading.question.tokens.slice(head.from, formula.from).map((token) => token.lower);
  const fn =
    before.includes("average") || before.includes("mean")
      ? "avg"
      : before.includes("total") || before.includes("sum")
        ? "sum"
        : null;
  if (fn === null) return [item(formula.value, "value")];
  return [
    { kind: "measure", measure: { kind: "aggregate", fn, of: formula.value, distinct: false, where: [] }, name: fn },
  ];
}

function rootOf(understanding: Understanding, targets: readonly Target[]): string {
  const label = targets.find((target) => target.kind === "label" || target.kind === "count");
  const labelled = label === undefined ? null : tableOfTarget(label);
  const pointed =
    targets
      .map((target) => (target.kind === "column" ? (target.ref.via?.from.table ?? null) : null))
      .find((table) => table !== null) ?? null;
  if (labelled === null && pointed !== null) return pointed;
  const first = targets.map(tableOfTarget).find((table) => table !== null) ?? null;
  return labelled ?? first ?? rootTable(understanding.reading, understanding.head.end);
}

/** `What was the highest speed …`: the ranked field itself is asked for. */
function isItselfAsked(understanding: Understanding, superlative: Superlative, hasItems: boolean): boolean {
  const { head, reading } = understanding;
  if (superlative.by.kind !== "value") return false;
  if (!hasItems) return head.kind === "list" || head.kind === "degree";
  if (superlative.from > head.to + 1 || superlative.from < head.from || head.kind === "who") return false;
  const next = mentionAt(reading.question, superlative.to);
  const adjacent = next !== null && next.from === superlative.to && (next.tables.length > 0 || next.columns.length > 0);
  return (
    !adjacent &&
    superlative.to > superlative.from + 1 &&
    head.kind === "list" &&
    !reading.question.tokens.slice(superlative.from, superlative.to).every((token) => token.kind !== "word")
  );
}

function extremePlan(understanding: Understanding, superlative: Superlative): Plan {
  const { reading, grouping } = understanding;
  if (superlative.by.kind !== "value") throw new Error("an extreme of no field");
  const table = rankedTable(superlative) ?? rootTable(reading);
  const where = conditionsOf(reading);
  if (superlative.take > 1 || superlative.skip > 0) {
    return plan(table, {
      select: [item(superlative.by.value, "value")],
      where,
      order: orderOf(superlative, { kind: "value", value: superlative.by.value }),
      distinct: superlative.skip > 0,
    });
  }
  const measure: Measure = {
    kind: "aggregate",
    fn: superlative.descending ? "max" : "min",
    of: superlative.by.value,
    distinct: false,
    where: [],
  };
  const keys = grouping?.keys ?? [];
  return plan(table, {
    select: [...keys.map((key) => item(key, keyName(key))), { kind: "measure", measure, name: measure.fn }],
    where,
    group: keys,
  });
}

function groupedPlan(
  understanding: Understanding,
  root: string,
  shown: readonly SelectItem[],
  where: readonly Condition[],
): Plan {
  const { grouping } = understanding;
  const keys = grouping?.keys ?? [];
  const [only] = shown;
  if (grouping?.per === true && shown.length === 1 && only?.kind === "measure") {
    const average = averagePer(understanding, only.measure);
    if (average !== null)
      return plan(root, { select: [{ kind: "measure", measure: average, name: "average" }], where });
  }
  const already = shown.filter((one) => one.kind === "value");
  const keyItems = already.length > 0 ? [] : keys.map((key) => item(key, keyName(key)));
  const group = [...keys, ...already.map((one) => one.value)];
  return plan(root, { select: [...keyItems, ...shown], where, group: uniqueValues(group) });
}

function uniqueValues(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** `the average number of orders per customer`: all orders over all customers. */
function averagePer(understanding: Understanding, measure: Measure): Measure | null {
  const { grouping, reading } = understanding;
  const said = reading.question.tokens
    .slice(0, grouping?.at ?? 0)
    .some((token) => token.lower === "average" || token.lower === "mean");
  if (!said || measure.kind !== "count-rows" || grouping === null) return null;
  const [key] = grouping.keys;
  const owner = grouping.table === null ? null : keyRef(reading.question, grouping.table);
  const of: Value | undefined = owner === null ? key : columnValue(owner);
  return of === undefined
    ? null
    : { kind: "arithmetic", operator: "/", left: measure, right: { kind: "count-distinct", of, where: [] } };
}

/** Aggregates over the rows that the conditions and a superlative leave; beside plain fields, one for each of their values. */
function measuredPlan(
  understanding: Understanding,
  targets: readonly Target[],
  root: string,
  shown: readonly SelectItem[],
  where: readonly Condition[],
): Plan {
  const { superlative, reading } = understanding;
  const values = shown.filter((one) => one.kind === "value");
  if (values.length > 0) {
    const group = uniqueValues([...groupValues(reading.question, targets), ...values.map((one) => one.value)]);
    const order = superlative === null ? null : orderOf(superlative, rankingOf(reading.question, superlative, root));
    return plan(root, { select: shown, where, group, order });
  }
  const picked = superlative === null ? null : superlativeCondition(understanding, superlative);
  return plan(root, { select: shown, where: picked === null ? where : [...where, picked] });
}

function rankedPlan(
  understanding: Understanding,
  targets: readonly Target[],
  root: string,
  shown: readonly SelectItem[],
  where: readonly Condition[],
  superlative: Superlative,
): Plan {
  const { question } = understanding.reading;
  const by = rankingOf(question, superlative, root);
  const order = orderOf(superlative, by);
  if (by.kind === "value") {
    const ranked = rankedTable(superlative);
    const spread = superlative.take > 1 && ranked !== null && ranked !== root;
    const picked = spread ? superlativeCondition(understanding, superlative) : null;
    if (picked !== null) return plan(root, { select: shown, where: [...where, picked] });
    return plan(root, { select: shown, where, order, distinct: repeats(targets, question.schema) ? true : null });
  }
  const group =
    targets.length > 0
      ? groupValues(question, targets)
      : shown.flatMap((one) => (one.kind === "value" ? [one.value] : []));
  return plan(root, { select: shown, where, group: uniqueValues(group), order });
}
