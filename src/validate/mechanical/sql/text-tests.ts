import { isSqlNode, partOf, partsUnder, type SqlNode, textUnder } from "../sql-tree.js";
import { literalOf } from "./literal.js";
import type { SelectBlock } from "./reading.js";
import { type BaseExpression, baseExpression } from "./rewrite.js";

/** A comparison of a catalog column with a text. */
export interface TextTest {
  readonly subject: BaseExpression;
  /** The text as it is written; of a pattern with its marks. */
  readonly text: string;
  /** `equal`: the subject is the text. `pattern`: the text is a pattern or a part. */
  readonly kind: "equal" | "pattern";
  /** False where the test leaves rows out: `<>`, `NOT IN`, `NOT LIKE`. */
  readonly keeps: boolean;
  /** The test as it would keep rows, over the table's own columns. */
  readonly condition: SqlNode;
}

/** Functions and operators that test a text by another one and keep the row where it fits. */
const PATTERNS: readonly string[] = [
  "~~",
  "~~*",
  "~~~",
  "like_escape",
  "ilike_escape",
  "regexp_matches",
  "regexp_full_match",
  "contains",
  "starts_with",
  "prefix",
  "ends_with",
  "suffix",
  "^@",
];

/** Those that leave the row out then, and what keeps it. */
const NEGATED: Readonly<Record<string, string>> = {
  "!~~": "~~",
  "!~~*": "~~*",
  not_like_escape: "like_escape",
  not_ilike_escape: "ilike_escape",
};

/** All comparisons with texts in a SELECT: in its conditions, and in CASE and FILTER of its list. Those of subqueries are not its own. */
export function textTests(block: SelectBlock): TextTest[] {
  const own = { ...block.node, from_table: null, cte_map: null };
  return textTestsIn([own, block.joins.map(({ node }) => node.condition)], block);
}

/** As `textTests`, of a part of a SELECT. */
export function textTestsIn(part: unknown, block: SelectBlock): TextTest[] {
  const tests: TextTest[] = [];
  const open: { readonly value: unknown; readonly keeps: boolean }[] = [{ value: part, keeps: true }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, keeps } = visit;
    if (Array.isArray(value)) for (const member of value) open.push({ value: member, keeps });
    if (!isSqlNode(value)) continue;
    tests.push(...testsOf(value, block).map((test) => ({ ...test, keeps: test.keeps === keeps })));
    const inner = value.type === "OPERATOR_NOT" ? !keeps : keeps;
    const members = value.class === "SUBQUERY" ? [value.child] : Object.values(value);
    for (const member of members) open.push({ value: member, keeps: inner });
  }
  return tests;
}

function testsOf(node: SqlNode, block: SelectBlock): TextTest[] {
  if (node.class === "COMPARISON") return comparisonTests(node, block);
  if (node.type === "COMPARE_IN" || node.type === "COMPARE_NOT_IN") return listTests(node, block);
  return node.class === "FUNCTION" ? patternTests(node, block) : [];
}

const EQUALITIES: Readonly<Record<string, boolean>> = {
  COMPARE_EQUAL: true,
  COMPARE_NOT_DISTINCT_FROM: true,
  COMPARE_NOTEQUAL: false,
  COMPARE_DISTINCT_FROM: false,
};

/** The text may stand on either side. */
function comparisonTests(node: SqlNode, block: SelectBlock): TextTest[] {
  const keeps = EQUALITIES[textUnder(node, "type")];
  const [left, right] = [partOf(node, "left"), partOf(node, "right")];
  if (keeps === undefined || left === null || right === null) return [];
  return literalOf(right) === null ? equalTest(right, left, keeps, block) : equalTest(left, right, keeps, block);
}

function listTests(node: SqlNode, block: SelectBlock): TextTest[] {
  const [subject, ...texts] = partsUnder(node, "children");
  if (subject === undefined) return [];
  return texts.flatMap((text) => equalTest(subject, text, node.type === "COMPARE_IN", block));
}

function equalTest(subject: SqlNode, text: SqlNode, keeps: boolean, block: SelectBlock): TextTest[] {
  const literal = literalOf(text);
  const base = literal?.kind === "text" ? baseExpression(subject, block.scope) : null;
  if (literal?.kind !== "text" || base === null) return [];
  const condition = { class: "COMPARISON", type: "COMPARE_EQUAL", alias: "", left: base.expression, right: text };
  return [{ subject: base, text: literal.text, kind: "equal", keeps, condition }];
}

function patternTests(node: SqlNode, block: SelectBlock): TextTest[] {
  const name = textUnder(node, "function_name");
  const keeping = NEGATED[name] ?? name;
  const [subject, text, ...options] = partsUnder(node, "children");
  const literal = text === undefined ? null : literalOf(text);
  if (!PATTERNS.includes(keeping) || subject === undefined || text === undefined || literal?.kind !== "text") return [];
  const base = baseExpression(subject, block.scope);
  if (base === null) return [];
  const condition = { ...node, alias: "", function_name: keeping, children: [base.expression, text, ...options] };
  return [{ subject: base, text: literal.text, kind: "pattern", keeps: keeping === name, condition }];
}
