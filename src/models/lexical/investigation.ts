import type { Chooser } from "./choice.js";
import { type Entry, entriesOf } from "./documents/entries.js";
import { codeMeanings, columnNotes, describedWords, termsOf } from "./documents/glossary.js";
import { type Knowledge, linkQuestion } from "./linking/link-question.js";
import type { StoredValue } from "./linking/value-links.js";
import {
  isKnownWhole,
  partProbe,
  profiledValues,
  storedValues,
  unknownNames,
  type ValueProbe,
  valueProbes,
} from "./linking/value-probes.js";
import { type ObservedContext, readContext, readDocument, readProfile, readQueries } from "./observations.js";
import type { Steps } from "./policy.js";
import { buildSchema } from "./schema/build-schema.js";
import type { SchemaColumn } from "./schema/schema.js";
import { readAnswerFormat } from "./statistics/answer-format.js";
import type { Call, Transcript } from "./transcript.js";

/** What was found out about the data before the question is read. */
export interface Investigation {
  readonly knowledge: Knowledge;
  readonly entries: readonly Entry[];
}

/** Tables and documents that are looked at closely; bigger contexts are looked at in part. */
const MOST_PROFILES = 24;
const MOST_DOCUMENTS = 8;

/** Looks at tables, documents and stored values. */
export function* investigate(transcript: Transcript): Steps<Investigation> {
  const asked = transcript.required.length === 0 ? [] : yield transcript.required;
  const [listed = ""] = yield [{ name: "list_context", arguments: {} }];
  const context = readContext(listed) ?? { tables: [], relationships: [], documents: [], uncertainties: [] };
  const profileCalls = context.tables
    .slice(0, MOST_PROFILES)
    .map((table): Call => ({ name: "get_table_profile", arguments: { table: table.name } }));
  const documentCalls = documentsToRead(context).map((path): Call => ({ name: "read_doc", arguments: { path } }));
  const looked = yield [...profileCalls, ...documentCalls];
  const profiles = looked.slice(0, profileCalls.length).flatMap((content) => readProfile(content) ?? []);
  const texts = [...looked.slice(profileCalls.length), ...asked].flatMap(
    (content) => readDocument(content)?.text ?? [],
  );
  const entries = [transcript.knowledge, ...texts].flatMap(entriesOf);
  const names = context.tables.flatMap((table) => table.columns.map((column) => column.name));
  const tables = context.tables.map((table) => table.name);
  const notes = columnNotes(entries, names);
  const schema = buildSchema(context, profiles, (table, column) => describedWords(notes, table, column, tables));
  const stored = [...profiledValues(schema), ...(yield* probeValues(valueProbes(schema, transcript.question), null))];
  const domain = domains(stored);
  const codes = codeMeanings(entries, notes, schema, domain);
  return { knowledge: { schema, stored, codes, terms: termsOf(entries, schema), domain }, entries };
}

function documentsToRead(context: ObservedContext): readonly string[] {
  return context.documents
    .map((document) => document.path)
    .filter((path) => path !== "knowledge.md")
    .slice(0, MOST_DOCUMENTS);
}

function* probeValues(probes: readonly ValueProbe[], partOf: string | null): Steps<readonly StoredValue[]> {
  if (probes.length === 0) return [];
  const [content = ""] = yield [
    { name: "execute_probe_query", arguments: { queries: probes.map(({ sql }) => sql), limit: 200 } },
  ];
  const results = readQueries(content)?.results ?? [];
  return probes.flatMap((probe, index) => {
    const found = results[index];
    return found?.ok === true ? storedValues(probe, found.rows, partOf) : [];
  });
}

/** Looks for names of the question that no stored value spells in full. */
export function* lookForParts(question: string, seen: Investigation, chooser: Chooser): Steps<Investigation> {
  const linked = linkQuestion(readAnswerFormat(question).task, seen.knowledge, chooser);
  const found: StoredValue[] = [];
  for (const name of unknownNames(linked.tokens, linked.mentions)) {
    const probe = partProbe(seen.knowledge.schema, name);
    if (probe !== null) found.push(...(yield* probeValues([probe], name)));
  }
  if (found.length === 0) return seen;
  return { ...seen, knowledge: { ...seen.knowledge, stored: [...seen.knowledge.stored, ...found] } };
}

function domains(stored: readonly StoredValue[]): (column: SchemaColumn) => readonly string[] {
  const byColumn = new Map<SchemaColumn, string[]>();
  for (const { column, value } of stored) byColumn.set(column, [...(byColumn.get(column) ?? []), value]);
  return (column) => byColumn.get(column) ?? (isKnownWhole(column) ? column.top : []);
}
