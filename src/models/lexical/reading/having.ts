import { type Condition, columnValue, plan, refsOfCondition } from "../sql/plan.js";
import type { Understanding } from "./compose.js";
import { keyRef } from "./count-plan.js";
import { countRows, item } from "./plan-parts.js";

/** `customers who never placed an order`: those of whom another table has no row. */
export function withoutConditions(understanding: Understanding, root: string): readonly Condition[] {
  const key = keyRef(understanding.reading.question, root);
  return understanding.reading.without.flatMap((table): readonly Condition[] => {
    if (key === null || table.name === root) return [];
    const of = plan(table.name, {
      select: [item(columnValue(key), "owner")],
      where: [{ kind: "missing", ref: key, negated: true }],
    });
    return [{ kind: "member", ref: key, of, negated: true }];
  });
}

/** `customers with more than 6 orders`: those whose rows in another table are that many. */
export function havingPlan(
  understanding: Understanding,
  root: string,
): { condition: Condition; inner: readonly Condition[] } | null {
  const { reading } = understanding;
  const [first] = reading.having;
  const key = keyRef(reading.question, root);
  if (first === undefined || key === null) return null;
  const { table, operator, count } = first.what;
  const inner = reading.conditions
    .map(({ what }) => what)
    .filter((condition) => refsOfCondition(condition).every((used) => used.table !== root));
  const of = plan(root, {
    select: [item(columnValue(key), "owner")],
    where: inner,
    group: [columnValue(key)],
    having: [{ measure: countRows(table.name), operator, value: count }],
  });
  return { condition: { kind: "member", ref: key, of, negated: false }, inner };
}
