import type { Candidate } from "../choice.js";
import type { Mention } from "../linking/mentions.js";
import { isTemporal, type SchemaColumn, type SchemaTable } from "../schema/schema.js";
import { type AggregateFunction, type Ref, ref, type Value } from "../sql/plan.js";
import { isVerbForm } from "../words/stem.js";
import { aggregateWord } from "./aggregate-words.js";
import type { Head } from "./heads.js";
import { lowerAt, mentionAt, type Question, type Reading } from "./question.js";
import { addTarget, targetOf } from "./target-fields.js";

/** One thing that is asked for. */
export type Target =
  /** A part of a date. */
  | {
      readonly kind: "value";
      readonly value: Value;
      readonly table: SchemaTable;
      readonly name: string;
      readonly mention: Mention | null;
    }
  | {
      readonly kind: "column";
      readonly ref: Ref;
      readonly fn: AggregateFunction | null;
      readonly distinct: boolean;
      readonly mention: Mention;
    }
  /** A row of a table, by its name. */
  | { readonly kind: "label"; readonly table: SchemaTable; readonly mention: Mention | null }
  | { readonly kind: "count"; readonly table: SchemaTable; readonly mention: Mention }
  | { readonly kind: "term"; readonly mention: Mention; readonly fn: AggregateFunction | null };

export interface TargetPhrase {
  readonly targets: readonly Target[];
  /** Token after the noun phrase that names them. */
  readonly to: number;
}

const JOINERS = new Set(["and", ",", "&", "plus", "along", "together", "as", "well", "also", "or"]);
const TRANSPARENT = new Set(
  "the a an its their his her all each both respective corresponding any different distinct unique these those that this every current full number of 's \" ' ( )".split(
    " ",
  ),
);

/** Where the walk stands: before the first target, behind one, behind `of`, behind `and`, or in words that only narrow. */
export type Place = "first" | "behind" | "of" | "owned" | "joined" | "narrowing";

/** The things named from a head on: columns and tables up to the words that only narrow them. */
export function readTargets(reading: Reading, head: Head, earlier: readonly Target[] = []): TargetPhrase {
  const { question } = reading;
  const targets: Target[] = [];
  let place: Place = "first";
  let fn: AggregateFunction | null = null;
  let distinct = false;
  let to = head.to;
  const opened = mentionAt(question, head.to - 1);
  const start = opened !== null && opened.from > head.from && opened.to > head.to - 1 ? opened.from : head.to;
  for (let at = start; at < head.end; at++) {
    const mention = mentionAt(question, at);
    if (mention === null || mention.from < at) {
      const word = lowerAt(question, at);
      fn = aggregateWord(word) ?? fn;
      const part = place === "first" && at <= head.to + 1 ? partTarget(reading, at, word) : null;
      if (part !== null) {
        targets.push(part);
        place = "narrowing";
        continue;
      }
      distinct ||= ["different", "distinct", "unique"].includes(word);
      place = placeBehindOwner(question, head, targets, at) ?? placeBehindWord(reading, at, place);
      continue;
    }
    at = mention.to - 1;
    if (isSpoken(reading, mention)) {
      if (place === "first" && saysClause(question, at + 1)) place = "narrowing";
      continue;
    }
    if (place === "narrowing") continue;
    const target = targetOf(reading, mention, {
      fn,
      distinct,
      anchored: place === "of",
      known: targets.length > 0 ? targets : earlier,
    });
    if (place === "behind" && !completes(question, targets, mention, target)) {
      place = "narrowing";
      continue;
    }
    if (target !== null) {
      addTarget(targets, target, place);
      targets.push(...otherHalf(question, mention, target));
      to = mention.to;
      fn = null;
    }
    if (target !== null || targets.length > 0) place = "behind";
  }
  return { targets, to };
}

/** `the show's band` asks for the band; null where no target owns anything. */
function placeBehindOwner(question: Question, head: Head, targets: readonly Target[], at: number): Place | null {
  const owns = lowerAt(question, at) === "'s" && targets.at(-1)?.mention?.to === at;
  if (!owns) return null;
  return isWhich(question, head, targets) ? "narrowing" : "owned";
}

/** `Which country's league …` asks for the country. */
function isWhich(question: Question, head: Head, targets: readonly Target[]): boolean {
  return (
    lowerAt(question, head.from) === "which" && targets.length === 1 && targets[0]?.mention?.from === head.from + 1
  );
}

/** `which month`: a part of a date, where no field is called that. */
function partTarget(reading: Reading, at: number, word: string): Target | null {
  const part = DATE_PARTS.get(word);
  if (part === undefined || reading.spent.has(at)) return null;
  const { question } = reading;
  const candidates = question.schema.tables.flatMap((table) =>
    table.columns.filter(isTemporal).map((column): Candidate<{ table: SchemaTable; column: SchemaColumn }> => {
      const conditioned = reading.conditions.some(
        ({ what }) => "ref" in what && what.ref.table === table.name && what.ref.column === column.name,
      );
      const named = question.mentions.some(
        (mention) => mention.tables[0]?.table === table || mention.columns.some((link) => link.column === column),
      );
      return {
        option: { table, column },
        label: `${part} of ${table.name}.${column.name}`,
        score: (conditioned ? 0.5 : 0) + (named ? 0.4 : 0) + 0.1,
      };
    }),
  );
  const picked = question.chooser.choose("date asked for a part of", candidates);
  if (picked === null) return null;
  const of = ref({ table: picked.table.name, column: picked.column.name });
  return { kind: "value", value: { kind: "date-part", part, of }, table: picked.table, name: part, mention: null };
}

const DATE_PARTS = new Map<string, "year" | "month" | "day" | "weekday">([
  ["year", "year"],
  ["month", "month"],
  ["weekday", "weekday"],
]);

/** `coordinates` are two fields. */
function otherHalf(question: Question, mention: Mention, target: Target): readonly Target[] {
  if (target.kind !== "column" || !/^(coordinat|geolocation)/.test(question.tokens[mention.from]?.stem ?? ""))
    return [];
  const other = mention.columns.find(
    (link) => link.column.table === target.ref.table && link.column.name !== target.ref.column,
  );
  return other === undefined ? [] : [{ ...target, ref: ref({ table: other.column.table, column: other.column.name }) }];
}

export const CLAUSES = new Set(["who", "whom", "that", "whose", "which"]);
const saysClause = (question: Question, at: number) => CLAUSES.has(lowerAt(question, at));

function placeBehindWord(reading: Reading, at: number, place: Place): Place {
  const word = lowerAt(reading.question, at);
  if (place === "first")
    return CLAUSES.has(word) && mentionAt(reading.question, at - 1) !== null ? "narrowing" : "first";
  if (
    JOINERS.has(word) ||
    (word === "with" &&
      /^(its|their|the)$/.test(lowerAt(reading.question, at + 1)) &&
      saysMeasure(reading.question, at + 2))
  )
    return (place !== "narrowing" || resumes(reading.question, at)) && continues(reading, at) ? "joined" : place;
  if (place === "narrowing") return place;
  if (word === "of" || word === "'s" || word === "for") return place === "joined" ? place : "of";
  return TRANSPARENT.has(word) || aggregateWord(word) !== null ? place : "narrowing";
}

/** `with its number of flights` asks for one more thing. */
function saysMeasure(question: Question, at: number): boolean {
  return /^(number|count|total|average|mean|sum)$/.test(lowerAt(question, at));
}

const isSpoken = (reading: Reading, mention: Mention) => reading.used.has(mention) || reading.spent.has(mention.from);

/** After a restriction, `and their names` asks again. */
function resumes(question: Question, at: number): boolean {
  let next = at + 1;
  while (["as", "well", "also", "with", "please"].includes(lowerAt(question, next))) next++;
  return ["their", "its", "his", "her", "the"].includes(lowerAt(question, next)) && lowerAt(question, at) !== "with";
}

/** Whether what follows a joiner is one more thing asked for, not one more restriction. */
function continues(reading: Reading, at: number): boolean {
  const { question } = reading;
  let next = at + 1;
  const passes = (word: string) =>
    word === "with" || TRANSPARENT.has(word) || JOINERS.has(word) || aggregateWord(word) !== null;
  while (passes(lowerAt(question, next)) && mentionAt(question, next) === null) next++;
  const mention = mentionAt(question, next);
  return (
    mention !== null &&
    mention.from === next &&
    !isSpoken(reading, mention) &&
    (mention.columns.length > 0 || mention.tables.length > 0)
  );
}

/** `track name`: a field right behind its table is the thing itself. */
function completes(question: Question, targets: readonly Target[], mention: Mention, target: Target | null): boolean {
  const last = targets.at(-1);
  if (last?.kind !== "label" || target?.kind !== "column" || last.mention?.to !== mention.from) return false;
  if (isVerbForm(lowerAt(question, mention.from))) return false;
  return (mention.columns[0]?.score ?? 0) >= 0.6;
}
