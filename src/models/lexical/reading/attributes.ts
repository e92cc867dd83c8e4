import type { Mention } from "../linking/mentions.js";
import { isIdentifier, isNumeric, type SchemaColumn, type SchemaTable } from "../schema/schema.js";
import { type Ref, ref } from "../sql/plan.js";
import { stemSet } from "../words/stem.js";
import type { Reading } from "./question.js";

/**
 * `the highest strength` where Strength is no field but a stored name of one (a table of names, a table of values): adds the
 * condition on the name and gives the field that holds the value; null if the mention is nothing of the kind.
 */
export function attributeValue(reading: Reading, mention: Mention): Ref | null {
  const link = mention.values.find(
    (candidate) => !candidate.partial && measuresOf(reading, candidate.column).length > 0,
  );
  if (link === undefined || mention.columns.some((column) => column.score >= 0.95)) return null;
  const [measure] = measuresOf(reading, link.column);
  if (measure === undefined || (link.column.distinct ?? 99) > 60) return null;
  const already = reading.conditions.some(
    ({ what }) =>
      what.kind === "equals" && what.ref.table === link.column.table && what.ref.column === link.column.name,
  );
  if (!already) {
    reading.conditions.push({
      what: {
        kind: "equals",
        ref: ref({ table: link.column.table, column: link.column.name }),
        values: [link.value],
        negated: false,
      },
      from: mention.from,
      to: mention.to,
    });
  }
  return ref({ table: measure.table, column: measure.name });
}

/** Whether a column holds names of measures whose values stand in another field. */
export function namesMeasure(reading: Reading, column: SchemaColumn): boolean {
  return measuresOf(reading, column).length > 0;
}

/**
 * The fields that hold a value for each name: in a table that points at a plain list of names and at something else, or beside
 * the names themselves.
 */
function measuresOf(reading: Reading, names: SchemaColumn): readonly SchemaColumn[] {
  const { schema } = reading.question;
  const table = schema.tables.find((candidate) => candidate.name === names.table);
  if (table === undefined || (names.distinct ?? 99) > 60) return [];
  const isList = table.columns.length <= 2 && table.columns.every((column) => column === names || isIdentifier(column));
  const pointing = schema.edges.filter((edge) => edge.to.table === table.name).map((edge) => edge.from.table);
  const inPairs = schema.tables.filter(
    (other) =>
      pointing.includes(other.name) &&
      isOfValues(other) &&
      schema.edges.some((edge) => edge.from.table === other.name && edge.to.table !== table.name),
  );
  const named = names.words.some((word) => NAMES_OF_MEASURES.has(word));
  const homes = [...(isList ? inPairs : []), ...(named ? [table] : [])];
  return homes
    .flatMap((home) => home.columns)
    .filter(
      (column) => isNumeric(column) && !isIdentifier(column) && column.words.some((word) => VALUE_WORDS.has(word)),
    );
}

/** A table that has little but pointers and one value. */
function isOfValues(table: SchemaTable): boolean {
  return table.columns.filter((column) => !isIdentifier(column)).length <= 2;
}

const NAMES_OF_MEASURES = stemSet("attribute metric indicator variable measure parameter item statistic");
const VALUE_WORDS = stemSet("value score level amount reading measurement points");
