import type { Candidate } from "../choice.js";
import type { Mention } from "../linking/mentions.js";
import { isTemporal, type SchemaColumn } from "../schema/schema.js";
import { ref } from "../sql/plan.js";
import { stem, stemSet } from "../words/stem.js";
import type { Head } from "./heads.js";
import { personNames } from "./labels.js";
import type { Reading } from "./question.js";
import type { Target } from "./targets.js";
import { isYearNumber } from "./years.js";

/** Who is meant by `who` when no noun says it: the people of the data. */
export function peopleTarget(reading: Reading): Target | null {
  const { question } = reading;
  const candidates = question.schema.tables.flatMap((table): Candidate<Target>[] => {
    const named = question.mentions.some(
      (mention) =>
        mention.tables[0]?.table === table ||
        mention.values[0]?.column.table === table.name ||
        mention.columns[0]?.column.table === table.name,
    );
    const people = personNames(table) !== null ? 0.6 : table.words.some((word) => PEOPLE.has(word)) ? 0.5 : 0;
    const fields = table.columns.filter(
      (column) => column.kind === "text" && column.words.some((word) => PEOPLE.has(word)),
    );
    const asTable: Candidate<Target>[] =
      people > 0
        ? [{ option: { kind: "label", table, mention: null }, label: table.name, score: people + (named ? 0.3 : 0) }]
        : [];
    return [...asTable, ...fields.map((column) => fieldCandidate(column, named))];
  });
  return question.chooser.choose("people asked for", candidates);
}

function fieldCandidate(column: SchemaColumn, named: boolean): Candidate<Target> {
  const mention: Mention = { from: -1, to: -1, columns: [{ column, score: 1 }], tables: [], values: [], term: null };
  return {
    option: {
      kind: "column",
      ref: ref({ table: column.table, column: column.name }),
      fn: null,
      distinct: false,
      mention,
    },
    label: `${column.table}.${column.name}`,
    score: 0.4 + (named ? 0.3 : 0),
  };
}

const PEOPLE = stemSet(
  "person user member player driver employee customer client student teacher patient doctor author artist manager owner keeper observer director actor singer worker staff captain coach rider runner passenger pilot guest agent supplier hero contact researcher scientist editor writer resident citizen athlet athlete superhero superhero",
);

/** The date that `when` asks for: named by a verb, else the likeliest of the tables in play. */
export function dateTarget(reading: Reading, head: Head): Target | null {
  return impliedTarget(reading, head, (column) => isTemporal(column) || isYearNumber(column), ["date", "time", "year"]);
}

/** The place that `where` asks for. */
export function placeTarget(reading: Reading, head: Head): Target | null {
  return impliedTarget(reading, head, (column) => column.kind === "text", [
    "location",
    "place",
    "city",
    "address",
    "country",
    "venue",
    "town",
  ]);
}

function impliedTarget(
  reading: Reading,
  head: Head,
  suits: (column: SchemaColumn) => boolean,
  words: readonly string[],
): Target | null {
  const { question } = reading;
  const candidates = question.schema.tables
    .flatMap((table) => table.columns)
    .filter(suits)
    .map((column): Candidate<SchemaColumn> => {
      const said = Math.max(
        0,
        ...question.mentions
          .filter((mention) => mention.from >= head.from && mention.to <= head.end && !reading.used.has(mention))
          .map((mention) => mention.columns.find((link) => link.column === column)?.score ?? 0),
      );
      const habit = Math.max(
        0,
        ...words.map((word, index) => (column.words.some((own) => own === stem(word)) ? 0.4 - index * 0.04 : 0)),
      );
      const named = question.mentions.some(
        (mention) => mention.tables[0]?.table.name === column.table || mention.values[0]?.column.table === column.table,
      );
      return { option: column, label: `${column.table}.${column.name}`, score: said + habit + (named ? 0.3 : 0) };
    });
  const column = question.chooser.choose(
    "field asked for",
    candidates.filter(({ score }) => score > 0.25),
  );
  if (column === null) return null;
  const mention = question.mentions.find((candidate) => candidate.columns.some((link) => link.column === column)) ?? {
    from: -1,
    to: -1,
    columns: [{ column, score: 1 }],
    tables: [],
    values: [],
    term: null,
  };
  return { kind: "column", ref: ref({ table: column.table, column: column.name }), fn: null, distinct: false, mention };
}
