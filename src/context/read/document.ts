import { readFile } from "node:fs/promises";
import type { CatalogDocument, DocumentHeading, Uncertainty } from "../../core/catalog.js";
import type { ContextFile } from "../context-files.js";
import { toUtf8File } from "./utf8-file.js";

/** A document as text: what the catalog says of it, and its lines. */
export interface CompiledDocument {
  readonly document: CatalogDocument;
  readonly lines: readonly string[];
  readonly uncertainties: readonly Uncertainty[];
}

/** Longer texts do not fit comfortably into one string; they are refused. */
const LARGEST = 200_000_000;

/** Reads Markdown or plain text, in any encoding that `toUtf8File` knows. Throws when the text is longer than 200 MB. */
export async function readTextDocument(
  file: ContextFile,
  format: "markdown" | "text",
  scratch: string,
): Promise<CompiledDocument> {
  if (file.bytes > LARGEST) throw new Error(`the text has ${file.bytes} bytes; at most ${LARGEST} are read`);
  const utf8 = await toUtf8File(file, scratch);
  const text = (await readFile(utf8.absolute)).subarray(utf8.skip).toString("utf8");
  const lines = linesOf(text);
  const headings = format === "markdown" ? markdownHeadings(lines) : [];
  return { document: describe(file, format, lines, headings), lines, uncertainties: utf8.uncertainties };
}

/** Reads the text of a PDF, page by page; each page is a heading. Throws on files that are no PDF, or are encrypted. */
export async function readPdf(file: ContextFile): Promise<CompiledDocument> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(file.absolute)), { verbosity: 0 });
  const { text: pages } = await extractText(pdf, { mergePages: false });
  const lines: string[] = [];
  const headings: DocumentHeading[] = [];
  const silent: number[] = [];
  pages.forEach((page, i) => {
    headings.push({ level: 1, text: `Page ${i + 1}`, line: lines.length + 1 });
    if (page.trim() === "") silent.push(i + 1);
    lines.push(...linesOf(page === "" ? "\n" : page));
  });
  const uncertainties: Uncertainty[] = [];
  if (silent.length > 0) {
    const which =
      silent.length === pages.length ? "None of its pages" : `${silent.length} of its ${pages.length} pages`;
    const detail = `${which} ${silent.length === pages.length ? "has" : "have no"} text that can be read; what is drawn there was not read.`;
    uncertainties.push({ source: file.path, code: "no-text", detail });
  }
  return { document: describe(file, "pdf", lines, headings), lines, uncertainties };
}

function describe(
  file: ContextFile,
  format: CatalogDocument["format"],
  lines: readonly string[],
  headings: readonly DocumentHeading[],
): CatalogDocument {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return { path: file.path, format, bytes: file.bytes, lines: lines.length, characters, headings };
}

/** Lines without their ends; a line end at the end of the text begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Headings with `#` marks or underlined, outside code fences. */
export function markdownHeadings(lines: readonly string[]): DocumentHeading[] {
  const headings: DocumentHeading[] = [];
  let fence: string | null = null;
  lines.forEach((line, i) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      return;
    }
    if (mark !== undefined) {
      fence = mark;
      return;
    }
    const [, marks, text] = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
    if (marks !== undefined) headings.push({ level: marks.length, text: text ?? "", line: i + 1 });
    const underline = /^ {0,3}(={2,}|-{3,})[ \t]*$/.exec(line)?.[1];
    const above = lines[i - 1] ?? "";
    const alone = (lines[i - 2] ?? "").trim() === "";
    if (underline !== undefined && alone && /^ {0,3}[^\s#>|`-]/.test(above)) {
      headings.push({ level: underline.startsWith("=") ? 1 : 2, text: above.trim(), line: i });
    }
  });
  return headings;
}
