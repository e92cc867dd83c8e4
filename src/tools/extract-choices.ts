import { tableNameOfFile, uniqueTableName } from "../context/names.js";
import { SYSTEM_NAMES } from "../context/sql-gate-lists.js";
import type { DocumentBlock } from "../context/structured/document-blocks.js";
import { fieldsOf, SECTION_COLUMN, sameName } from "../context/structured/extract-records.js";
import { nearest } from "../core/nearest.js";
import { failure, type ToolEnvironment, type ToolOutcome } from "./tool.js";

/** What a call of extract_structured_doc asks for, as far as it chooses. */
interface Choices {
  readonly blocks?: readonly number[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly key?: string | undefined;
}

export const isProse = ({ kind }: DocumentBlock) => kind === "prose";

export type Chosen<Value> = ({ readonly ok: true } & Value) | (ToolOutcome & { readonly ok: false });

/** Without numbers: tables and lists; of a document that has none, its prose, where fields are asked for. */
export function chosenBlocks(
  all: readonly DocumentBlock[],
  { blocks: numbers, fields }: Choices,
  path: string,
): Chosen<{ readonly blocks: readonly DocumentBlock[] }> {
  if (numbers === undefined) {
    const structured = all.filter((block) => block.fields.length > 0);
    if (structured.length > 0) return { ok: true, blocks: structured };
    const prose = all.filter(isProse);
    if (prose.length > 0 && fields !== undefined) return { ok: true, blocks: prose };
    const instead =
      prose.length > 0 ? "name the fields to take from its prose, or read it with read_doc" : "read_doc shows its text";
    return failure("no-records", `${path} has no Markdown table and no key–value list; ${instead}`);
  }
  const blocks: DocumentBlock[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const block = all[number - 1];
    if (block === undefined)
      return failure("no-such-block", `${path} has ${all.length} blocks, there is no block ${number}`);
    if (block.fields.length === 0 && !isProse(block)) {
      const lines = `lines ${block.first_line} to ${block.last_line}`;
      return failure("not-structured", `block ${number} is ${block.kind}: read_doc shows it (${lines})`);
    }
    blocks.push(block);
  }
  return { ok: true, blocks };
}

export function chosenFields(
  blocks: readonly DocumentBlock[],
  { fields: asked, key: askedKey }: Choices,
): Chosen<{ readonly fields: readonly string[]; readonly key: string | null }> {
  const inProse = blocks.some(isProse);
  if (inProse && asked === undefined) {
    return failure(
      "fields-needed",
      "prose has no fields of its own: name the fields to take from it, in the document's words",
    );
  }
  const known = fieldsOf(blocks);
  const fields = new Map<string, string>();
  for (const name of asked ?? known) {
    const field = known.find((one) => sameName(one) === sameName(name)) ?? (inProse ? name.trim() : undefined);
    if (field === undefined) return unknownField(name, known);
    if (!fields.has(sameName(field))) fields.set(sameName(field), field);
  }
  if (askedKey === undefined) return { ok: true, fields: [...fields.values()], key: null };
  const keys = [...known, ...fields.values(), SECTION_COLUMN];
  const key = keys.find((one) => sameName(one) === sameName(askedKey)) ?? (inProse ? askedKey.trim() : undefined);
  if (key === undefined) return unknownField(askedKey, keys);
  // A row that does not show its key could not be told from the others.
  const shown = key === SECTION_COLUMN || fields.has(sameName(key));
  return { ok: true, fields: shown ? [...fields.values()] : [key, ...fields.values()], key };
}

function unknownField(name: string, known: readonly string[]): ToolOutcome & { readonly ok: false } {
  const near = nearest(name, known, 3);
  const shown = (near.length > 0 ? near : known.slice(0, 20)).map((field) => JSON.stringify(field)).join(", ");
  const instead = near.length > 0 ? `did you mean ${shown}?` : `there are: ${shown}`;
  return failure("unknown-field", `these blocks have no field ${JSON.stringify(name)}; ${instead}`);
}

/** A name that neither the data nor an earlier extraction has: a table that was made once is never another. */
export function tableName(
  asked: string | undefined,
  path: string,
  { context, overlay }: ToolEnvironment,
): Chosen<{ readonly name: string }> {
  const taken = new Set([...context.catalog.tables, ...overlay].map(({ name }) => name.toLowerCase()));
  if (asked === undefined) {
    return { ok: true, name: uniqueTableName(`${tableNameOfFile(path)}_records`, path, taken) };
  }
  if (SYSTEM_NAMES.test(asked.toLowerCase()))
    return failure("bad-name", `"${asked}" is a name of the system: give another`);
  if (taken.has(asked.toLowerCase()))
    return failure("name-taken", `there is a table "${asked}" already: give another name`);
  return { ok: true, name: asked };
}
