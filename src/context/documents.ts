import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CompiledContext } from "./compile.js";

/** File of the n-th document's text in a compiled context. */
function documentFile(folder: string, n: number): string {
  return path.join(folder, `document-${n}.txt`);
}

/** Stores the text of the n-th document of the catalog. */
export async function writeDocument(folder: string, n: number, lines: readonly string[]): Promise<void> {
  await writeFile(documentFile(folder, n), lines.map((line) => `${line}\n`).join(""));
}

/**
 * The lines of a document of the catalog, without line ends; a PDF's as its text was extracted. `path` is as the catalog has it.
 * Null when there is no such document.
 */
export async function documentLines(context: CompiledContext, path: string): Promise<readonly string[] | null> {
  const n = context.catalog.documents.findIndex((document) => document.path === path);
  if (n < 0) return null;
  const lines = (await readFile(documentFile(context.folder, n), "utf8")).split("\n");
  lines.pop();
  return lines;
}

/** The text of `knowledge.md` at the top of the context, in full; null where the task has none. */
export async function knowledgeOf(context: CompiledContext): Promise<string | null> {
  const found = context.catalog.documents.find((document) => document.path.toLowerCase() === "knowledge.md");
  const lines = found === undefined ? null : await documentLines(context, found.path);
  return lines === null ? null : lines.join("\n");
}
