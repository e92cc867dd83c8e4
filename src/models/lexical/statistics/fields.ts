import type { Chooser } from "../choice.js";
import { type Knowledge, linkQuestion } from "../linking/link-question.js";
import type { Mention } from "../linking/mentions.js";
import { flagValues } from "../reading/absence.js";
import { pickColumn } from "../reading/columns.js";
import { readConditions } from "../reading/conditions.js";
import type { Question, Reading } from "../reading/question.js";
import { isYearNumber } from "../reading/years.js";
import { nameWords, spacedName } from "../schema/name-words.js";
import { columnOf, isIdentifier, isNumeric, type SchemaColumn } from "../schema/schema.js";
import { type Condition, columnValue, type Ref, type Value } from "../sql/plan.js";
import type { AnswerField } from "./answer-format.js";
import type { Feature } from "./features.js";
import type { Instructions } from "./instructions.js";
import { plainWords, type Statistic, statisticIn, statisticOf } from "./statistic.js";

/** A field of the answer with all that says how it is computed. */
export interface ReadField {
  readonly field: AnswerField;
  readonly statistic: Statistic;
  /** Columns or features, best first; empty where rows are counted. */
  readonly values: readonly Value[];
  /** Narrows this field alone: `mean_age_male`. */
  readonly where: readonly Condition[];
  /** A column of categories that its name speaks of. */
  readonly category: Ref | null;
}

export interface FieldReader {
  readonly how: Instructions;
  readonly features: readonly Feature[];
  readonly asked: Question;
  readonly reading: Reading;
  readonly knowledge: Knowledge;
  readonly chooser: Chooser;
}

/** Reads a field by its own words first, then by what the task says; null where neither tells what it is. */
export function readField(field: AnswerField, reader: FieldReader): ReadField | null {
  const linked = linkQuestion(spacedName(field.name), reader.knowledge, reader.chooser);
  const category = categoryOf(linked, field, reader);
  const statistic =
    statisticOf(field) ??
    choiceStatistic(field, reader.how) ??
    (category === null ? taskStatistic(field, reader) : { kind: "category" as const });
  if (statistic === null) return null;
  const own = readConditions(linked)
    .conditions.map(({ what }) => what)
    .filter((condition) => condition.kind === "equals" || condition.kind === "contains");
  const flags = flagsNamed(linked);
  const named = valuesNamed(field, linked, reader);
  const asked = askedValues(statistic, reader);
  const values = saysOther(named, asked, reader) ? [...asked, ...named] : [...named, ...asked];
  return {
    field,
    statistic,
    values: dedupe([...pairAsked(statistic, reader), ...values]),
    where: [...own, ...flags],
    category,
  };
}

/** `mean_with_garage`, `mean_without_garage`: a field of yes and no that the name speaks of. */
function flagsNamed(linked: Question): readonly Condition[] {
  return linked.mentions.flatMap((mention): readonly Condition[] => {
    const column = mention.columns.find(
      (link) => link.score >= 0.5 && flagValues(linked, link.column) !== null,
    )?.column;
    const values = column === undefined ? null : flagValues(linked, column);
    if (column === undefined || values === null) return [];
    const off = linked.tokens.slice(0, mention.from).some((token) => /^(without|no|non|not)$/.test(token.lower));
    const value = off ? values.no : values.yes;
    return value === null
      ? []
      : [
          {
            kind: "equals",
            ref: { table: column.table, column: column.name, via: null },
            values: [value],
            negated: false,
          },
        ];
  });
}

/** A field's name may be loose: a column that the task quotes is meant rather than one that the task never names. */
function saysOther(named: readonly Value[], asked: readonly Value[], { asked: question }: FieldReader): boolean {
  const key = (value: Value) => JSON.stringify(value);
  const known = new Set(asked.map(key));
  const quoted = question.mentions.flatMap((mention) =>
    question.tokens[mention.from]?.quote === null ? [] : mention.columns.slice(0, 1).map((link) => link.column),
  );
  const fuller = (value: Value) =>
    value.kind === "column" && quoted.some((column) => isFuller(column, columnOf(question.schema, value.ref)));
  return (
    quoted.length > 0 &&
    named.length > 0 &&
    named.every((value) => value.kind === "column" && (!known.has(key(value)) || fuller(value)))
  );
}

/** `deaths_max` says all that `deaths` says, and more. */
function isFuller(column: SchemaColumn, than: SchemaColumn): boolean {
  return column.words.length > than.words.length && than.words.every((word) => column.words.includes(word));
}

/** What the task asks for, where a field's name does not say; not for `difference`, which is arithmetic. */
function taskStatistic(field: AnswerField, { how }: FieldReader): Statistic | null {
  if (
    plainWords(`${field.name} ${field.placeholder}`).some((word) =>
      /^(diff|difference|change|increase|growth|ratio)$/.test(word),
    )
  )
    return null;
  return statisticIn(how.asks.flatMap(plainWords));
}

/** A field of two texts asks for a decision of the test that the task names. */
function choiceStatistic(field: AnswerField, how: Instructions): Statistic | null {
  if (field.choices.length < 2 && !/boolean|true|false/i.test(field.description)) return null;
  if (field.choices.some((choice) => /positive|negative|linear/i.test(choice))) return { kind: "relationship" };
  if (how.test === "shapiro" || how.test === "normaltest") return { kind: "is-normal" };
  return how.test === null ? null : { kind: "significance" };
}

/** A column of names or codes that a field is called after. */
function categoryOf(linked: Question, field: AnswerField, { asked }: FieldReader): Ref | null {
  const suits = (column: SchemaColumn) => !isNumeric(column) || isYearNumber(column);
  for (const mention of linked.mentions) {
    const picked =
      mention.columns.length === 0 || (mention.columns[0]?.score ?? 0) < 0.5
        ? null
        : pickColumn(linked, mention, { suits, asStored: true });
    if (picked !== null) return picked;
  }
  if (!/name|category|group|string|list/i.test(`${field.placeholder} ${field.name}`)) return null;
  const first = asked.mentions.find(
    (mention) => mention.values.length === 0 && mention.columns.some((link) => suits(link.column) && link.score >= 0.7),
  );
  return first === undefined ? null : pickColumn(asked, first, { suits, asStored: true });
}

/** Features and columns that a field's own name speaks of. */
function valuesNamed(field: AnswerField, linked: Question, { features }: FieldReader): readonly Value[] {
  const words = nameWords(field.name);
  const feature =
    features.find((one) => one.words.every((word) => words.includes(word))) ??
    (/new|feature/i.test(field.name) ? features[0] : undefined);
  if (feature !== undefined) return [feature.value];
  return linked.mentions.flatMap((mention) => numericValue(linked, mention));
}

/** Both sides of `between A and B`, for statistics of two columns. */
function pairAsked(statistic: Statistic, { how, features, knowledge, chooser }: FieldReader): readonly Value[] {
  if (
    ![
      "correlation",
      "relationship",
      "p-value",
      "slope",
      "intercept",
      "r-squared",
      "mse",
      "rmse",
      "significance",
    ].includes(statistic.kind)
  )
    return [];
  for (const sentence of how.asks) {
    const sides =
      /\b(?:between|of|relationship of)\s+(.+?)\s+(?:and|with|to)\s+(.+?)(?:[?.;]|,\s|\bto assess\b|\bfor\b|$)/i.exec(
        sentence.replaceAll(/(?:correlation|relationship)\s+coefficient\s*(?:\(r\))?\s*/gi, ""),
      );
    if (sides === null || !/correl|relation|regress|predict|associat/i.test(sentence)) continue;
    const values = [sides[1] ?? "", sides[2] ?? ""].map((side) => sideValue(side, features, knowledge, chooser));
    const [left, right] = values;
    if (left != null && right != null) return [left, right];
  }
  return [];
}

function sideValue(side: string, features: readonly Feature[], knowledge: Knowledge, chooser: Chooser): Value | null {
  const words = nameWords(side);
  const feature = features.find((one) => one.words.length > 0 && one.words.every((word) => words.includes(word)));
  if (feature !== undefined) return feature.value;
  const linked = linkQuestion(side, knowledge, chooser);
  return linked.mentions.flatMap((mention) => numericValue(linked, mention))[0] ?? null;
}

/** Columns that the task itself speaks of: quoted ones first, years and identifiers last. */
function askedValues(statistic: Statistic, { asked, features, how, reading }: FieldReader): readonly Value[] {
  const rank = (mention: Mention) =>
    (asked.tokens[mention.from]?.quote === null ? 0 : 2) - (reading.used.has(mention) ? 3 : 0);
  const mentions = [...asked.mentions].sort((left, right) => rank(right) - rank(left));
  const columns = mentions.flatMap((mention) => numericValue(asked, mention, statistic.kind.includes("missing")));
  const words = how.asks.flatMap(nameWords);
  const made = features
    .filter((feature) => feature.words.every((word) => words.includes(word)))
    .map((feature) => feature.value);
  const main = (value: Value) => value.kind === "column" && isSide(asked, value.ref);
  return [...made, ...columns.filter((value) => !main(value)), ...columns.filter(main)];
}

function isSide(question: Question, ref: Ref): boolean {
  const column = columnOf(question.schema, ref);
  return isIdentifier(column) || isYearNumber(column) || !isNumeric(column);
}

function numericValue(question: Question, mention: Mention, any = false): readonly Value[] {
  if (mention.columns.length === 0 || (mention.columns[0]?.score ?? 0) < 0.55) return [];
  const picked = pickColumn(question, mention, { suits: (column) => any || isNumeric(column), asStored: true });
  return picked === null ? [] : [columnValue(picked)];
}

function dedupe(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
