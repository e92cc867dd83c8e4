import type { Mention } from "../linking/mentions.js";
import { isIdentifier, isNumeric, type SchemaTable } from "../schema/schema.js";
import { type AggregateFunction, type Ref, ref, refsOfCondition } from "../sql/plan.js";
import { stem, stemSet } from "../words/stem.js";
import { flagValues } from "./absence.js";
import { attributeValue } from "./attributes.js";
import { isClock } from "./clocks.js";
import { pickColumn } from "./columns.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";
import { CLAUSES, type Place, type Target } from "./targets.js";

interface Manner {
  readonly fn: AggregateFunction | null;
  readonly distinct: boolean;
  readonly anchored: boolean;
  readonly known: readonly Target[];
}

export function targetOf(reading: Reading, mention: Mention, manner: Manner): Target | null {
  const { question } = reading;
  if (mention.term?.expression != null && !mention.term.expression.compares)
    return { kind: "term", mention, fn: manner.fn };
  if (mention.term !== null && mention.columns.length === 0 && mention.tables.length === 0) return null;
  const named = namedThing(reading, mention, manner);
  if (named !== null) return named;
  const table = mention.tables[0];
  const score = mention.columns[0]?.score ?? 0;
  if (manner.anchored && table !== undefined && table.score >= 0.6) return anchor(mention, table.table, manner);
  if (
    table !== undefined &&
    (table.score > score + 0.001 || (table.score === score && !sayFieldOf(question, mention)))
  ) {
    if (lowerAt(question, mention.from - 1) === "of" && lowerAt(question, mention.from - 2) === "number")
      return { kind: "count", table: table.table, mention };
    return { kind: "label", table: table.table, mention };
  }
  if (
    manner.anchored &&
    mention.columns[0] !== undefined &&
    isIdentifier(mention.columns[0].column) &&
    !/^(ids?|codes?|numbers?)$/.test(lowerAt(question, mention.to - 1))
  )
    return null;
  const flagged = flagTarget(reading, mention);
  if (flagged !== null) return flagged;
  if (score > 0) {
    const picked = pickColumn(question, mention, { tables: [...tablesOf(manner.known), ...conditionTables(reading)] });
    return picked === null
      ? null
      : {
          kind: "column",
          ref: picked,
          fn: manner.fn ?? extremeOf(question, mention, picked),
          distinct: manner.distinct,
          mention,
        };
  }
  const attribute = mention.values.length > 0 ? attributeValue(reading, mention) : null;
  return attribute === null ? null : { kind: "column", ref: attribute, fn: manner.fn, distinct: false, mention };
}

const NAME_WORDS = stemSet("name full complete entire");

/** `names`, `full name`: what rows of the table that is spoken of are called by; null where a field is named that exactly. */
function namedThing(reading: Reading, mention: Mention, manner: Manner): Target | null {
  const { question } = reading;
  const words = question.tokens.slice(mention.from, mention.to).map((token) => token.stem);
  if (!words.includes(stem("name")) || !words.every((word) => NAME_WORDS.has(word))) return null;
  const table = spokenTable(question, mention, manner);
  if (table === null) return null;
  const exact = mention.columns.find(
    (link) => link.score >= 0.99 && link.column.table === table.name && link.column.words.length === words.length,
  );
  if (words.length > 1 && exact !== undefined) return null;
  return { kind: "label", table, mention };
}

/** The table behind `of`, else of the last target, else the last one named before. */
function spokenTable(question: Question, mention: Mention, manner: Manner): SchemaTable | null {
  for (let at = mention.to; at < Math.min(question.tokens.length, mention.to + 7); at++) {
    const next = mentionAt(question, at);
    if (
      next !== null &&
      next.tables.length > 0 &&
      (next.tables[0]?.score ?? 0) >= (next.columns[0]?.score ?? 0) - 0.001
    )
      return next.tables[0]?.table ?? null;
    if (next !== null && next.columns.length > 0 && lowerAt(question, at - 1) === "of") return null;
    if (CLAUSES.has(lowerAt(question, at)) || lowerAt(question, at) === "with") break;
  }
  const last = manner.known.at(-1);
  if (last?.kind === "label") return last.table;
  const before = question.mentions.filter((other) => other.to <= mention.from && other.tables.length > 0).at(-1);
  return before?.tables[0]?.table ?? null;
}

/** `the names of the drivers`: the table only says whose names; `the name of the country` names another field. */
function anchor(mention: Mention, table: SchemaTable, manner: Manner): Target | null {
  const last = manner.known.at(-1);
  if (last?.kind === "value") return null;
  if (last?.kind === "label" || last?.kind === "count") return null;
  if (last?.kind === "column" && last.ref.table === table.name) return null;
  return last === undefined ? { kind: "label", table, mention } : null;
}

/** `major` as a field of a member rather than the table of majors. */
function sayFieldOf(question: Question, mention: Mention): boolean {
  return lowerAt(question, mention.to) === "of" || lowerAt(question, mention.from - 1) === "'s";
}

/** `List the headliners` where headliner is a field of yes and no: rows that have it. */
function flagTarget(reading: Reading, mention: Mention): Target | null {
  const column = mention.columns[0]?.column;
  const values = column === undefined ? null : flagValues(reading.question, column);
  if (column === undefined || values?.yes == null || /^(whether|if)$/.test(lowerAt(reading.question, mention.from - 1)))
    return null;
  const table = reading.question.schema.tables.find((candidate) => candidate.name === column.table);
  if (table === undefined || !/s$/.test(lowerAt(reading.question, mention.to - 1))) return null;
  reading.used.add(mention);
  reading.conditions.push({
    what: {
      kind: "equals",
      ref: ref({ table: column.table, column: column.name }),
      values: [values.yes],
      negated: false,
    },
    from: mention.from,
    to: mention.to,
  });
  return { kind: "label", table, mention };
}

/** Tables of comparisons that were read: what is asked stands in them rather than elsewhere. */
function conditionTables(reading: Reading): readonly string[] {
  return [
    ...new Set(
      reading.conditions.flatMap(({ what }) =>
        what.kind === "compare" || what.kind === "between" ? refsOfCondition(what).map((used) => used.table) : [],
      ),
    ),
  ];
}

/** `the fastest lap speed` where the field itself is called that: the extreme of the rows that are left. */
function extremeOf(question: Question, mention: Mention, picked: Ref): AggregateFunction | null {
  const word = lowerAt(question, mention.from);
  const column = mention.columns.find(
    (link) => link.column.table === picked.table && link.column.name === picked.column,
  )?.column;
  if (
    column === undefined ||
    mention.to - mention.from < 2 ||
    !(isNumeric(column) || isClock(column)) ||
    isIdentifier(column)
  )
    return null;
  if (/^(fastest|best)$/.test(word)) return isClock(column) ? "min" : "max";
  if (/^(slowest|worst)$/.test(word)) return isClock(column) ? "max" : "min";
  if (/^(highest|largest|maximum|max|longest|greatest)$/.test(word)) return "max";
  return /^(lowest|smallest|minimum|min|shortest|least)$/.test(word) ? "min" : null;
}

function tablesOf(targets: readonly Target[]): readonly string[] {
  return targets.flatMap((target) =>
    target.kind === "column" ? [target.ref.table] : target.kind === "term" ? [] : [target.table.name],
  );
}

/** `track name`, `the track's name`: the table before only says whose field it is. */
export function addTarget(targets: Target[], target: Target, place: Place): void {
  const last = targets.at(-1);
  const owner = last?.kind === "label" && target.kind === "column" && (place === "behind" || place === "of");
  const owned = place === "owned" && last !== undefined;
  const generic = last?.kind === "column" && target.kind === "column" && place === "of" && isPlainName(last);
  if (owner || owned || generic) targets.pop();
  targets.push(target);
}

/** `the name of the country` where country is a field: the field is what is asked. */
function isPlainName(target: Extract<Target, { kind: "column" }>): boolean {
  const { mention } = target;
  return mention.to - mention.from === 1 && (mention.columns[0]?.column.words.includes(stem("name")) ?? false);
}
