import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Declaration, readDeclarations } from "./declarations.js";

export type Declarations = ReadonlyMap<string, Declaration>;

/** The types of all source files below folders. */
export function declarationsIn(...folders: readonly string[]): Declarations {
  return new Map(
    folders
      .flatMap(sourceFiles)
      .flatMap((file) => readDeclarations(readFileSync(file, "utf8")))
      .map((declaration) => [declaration.name, declaration]),
  );
}

/**
 * docs/run-log.md: every line of run.jsonl and events.jsonl, from the comments of their types. `core` is the folder of the
 * types. What the lines hold is followed from type to type, so that nothing in a log is left unsaid.
 */
export function runLogReference(core: string): string {
  const all = declarationsIn(core);
  const records = members(all, "RunRecord");
  const events = members(all, "TrialEventBody");
  const lines = [...records, ...events];
  return [
    "# Run log reference",
    "",
    "Generated from the types that the log is written from (`npm run docs`). A run is a folder:",
    "",
    "```text",
    "runs/<run_id>/",
    "  run.jsonl                                           one record a line, appended and fsynced",
    "  trials/<arm>/<task_id>/<k>/<attempt>/events.jsonl   one event a line, as it happens",
    "  trials/<arm>/<task_id>/<k>/<attempt>/prediction.csv, conclusion.md",
    "```",
    "",
    "`run.jsonl` alone is enough for `report` and `diff`. Fields may be added in any version; readers skip what they do not know.",
    "",
    "## Records of run.jsonl",
    "",
    docOf(all, "RunRecord"),
    "",
    ...records.flatMap((record) => typeSection(record)),
    "## Events of events.jsonl",
    "",
    docOf(all, "TrialEvent"),
    "",
    "Every event also has `seq` (its position in the trial, from 0, without gaps), `at` (when it was written, ISO 8601, UTC) and, where calls waited for their turn, `waited_ms`.",
    "",
    ...events.flatMap((event) => typeSection(event)),
    "## Types in them",
    "",
    ...reached(all, lines).flatMap((declaration) => typeSection(declaration)),
  ].join("\n");
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function docOf(all: Declarations, name: string): string {
  return declared(all, name).doc;
}

export function declared(all: Declarations, name: string): Declaration {
  const declaration = all.get(name);
  if (declaration === undefined) throw new Error(`no type ${name}`);
  return declaration;
}

/** The members of a union of named types, unions in it followed. */
function members(all: Declarations, union: string): Declaration[] {
  return declared(all, union)
    .text.split("|")
    .map((name) => declared(all, name.trim()))
    .flatMap((member) => (member.members.length > 0 ? [member] : members(all, member.name)));
}

/** The types that `from` mention, and those that these mention, by name; `from` itself left out. */
export function reached(all: Declarations, from: readonly Declaration[]): Declaration[] {
  const seen = new Map(from.map((declaration) => [declaration.name, declaration]));
  const open = [...from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const text = [next.text, ...next.members.map(({ type }) => type)].join(" ");
    for (const name of text.match(/\b[A-Z]\w+/g) ?? []) {
      const declaration = all.get(name);
      if (declaration === undefined || seen.has(name)) continue;
      seen.set(name, declaration);
      open.push(declaration);
    }
  }
  const left = new Set(from.map(({ name }) => name));
  return [...seen.values()].filter(({ name }) => !left.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function typeSection({ name, doc, members: fields, text }: Declaration): string[] {
  const tag = fields.find((field) => field.name === "type" || field.name === "record");
  const literal = tag === undefined ? null : /^"([\w-]+)"$/.exec(tag.type)?.[1];
  const title = literal ?? name;
  const head = [`### ${title}`, "", ...(doc === "" ? [] : [doc, ""])];
  const base = text !== "" && fields.length > 0 ? [`Also has the fields of \`${text}\`.`, ""] : [];
  if (fields.length === 0) return [...head, `\`${text.replaceAll("readonly ", "")}\``, ""];
  const rows = fields
    .filter((field) => field !== tag || literal === null)
    .map(
      (field) =>
        `| \`${field.name}\`${field.optional ? " (may be absent)" : ""} | ${cell(field.type)} | ${field.doc.replaceAll("|", "\\|")} |`,
    );
  if (rows.length === 0) return [...head, ...base];
  return [...head, ...base, "| field | type | meaning |", "| --- | --- | --- |", ...rows, ""];
}

function cell(type: string): string {
  return `\`${type.replaceAll("|", "\\|")}\``;
}
