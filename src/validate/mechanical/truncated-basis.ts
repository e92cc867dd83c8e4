import { textArgument } from "../../core/evidence.js";
import type { Finding } from "../../core/finding.js";
import { contentOf } from "../excerpt.js";
import type { CheckInput, CheckOutcome } from "./check.js";
import { extractionsOf } from "./extracted-tables.js";
import { names, plainWords, returnsOf } from "./known-text.js";
import { isSqlNode, textUnder } from "./sql-tree.js";
import { type TableBasis, tableBases } from "./table-basis.js";

/**
 * Rule 8, `truncated-basis`: all that the agent has seen of a table or document that it uses failed or was cut, so that it is among the
 * evidence that proves nothing; or a table was extracted from a part of what was to be read. A document is used where it was opened and the question or knowledge.md names it. A warning where the
 * look at a table was whole and only the packet has no room for it.
 */
export function truncatedBasis(input: CheckInput): CheckOutcome {
  const read = tableBases(input);
  if ("need" in read) return read;
  const extractions = extractionsOf(input.trajectory);
  const findings = read.tables.flatMap(
    (one) => partOfDocument(one, extractions, input) ?? tableFinding(one, input) ?? [],
  );
  return { findings: [...findings, ...documentFindings(input)] };
}

/** Whatever was looked at in it: rows are missing that nobody has seen. */
function partOfDocument(
  { table }: TableBasis,
  extractions: ReturnType<typeof extractionsOf>,
  { say }: CheckInput,
): Finding | null {
  const made = extractions.find((one) => one.table.name === table.name);
  if (made === undefined || made.unread === null) return null;
  return finding("red", say.extractedInPart(table.name, made.table.source, made.unread));
}

function tableFinding({ table, basis }: TableBasis, { packet, say }: CheckInput): Finding | null {
  if (basis.kind === "truncated") {
    const how = basis.looks.every(({ shown }) => shown === "failed") ? "failed" : "cut";
    return finding("red", say.everyLook(table.name, how));
  }
  if (basis.kind === "unseen" || basis.looks.length === 0) return null;
  const isFull = packet.omitted_or_unusable.some(({ reason }) => reason === "evidence_budget");
  const isShown = packet.evidence_items.some(({ id }) => basis.looks.some(({ evidence }) => evidence === id));
  return isFull && !isShown ? finding("warn", say.noRoom(table.name)) : null;
}

function documentFindings(input: CheckInput): readonly Finding[] {
  const { question, knowledge, catalog } = input.started;
  const named = [question, knowledge ?? ""].map(plainWords);
  const reads = returnsOf(input).filter(({ returned }) => returned.tool === "read_doc");
  return catalog.documents.flatMap(({ path }) => {
    const own = reads.filter(({ returned }) => isOf(path, returned.args, returned.content));
    const isUsed = named.some((words) => names(words, fileOf(path)));
    if (!isUsed || own.length === 0 || own.some(({ returned }) => returned.ok && !returned.truncated)) return [];
    return [finding("red", input.say.everyReading(path))];
  });
}

/** Whether a call was about a document: by the path that it returned, else by the one that was asked for. */
function isOf(path: string, args: unknown, text: string): boolean {
  const content = contentOf(text);
  const shown = isSqlNode(content) ? textUnder(content, "path") : "";
  const asked = (textArgument(args, "path") ?? "").replace(/^(\.?\/)+/, "").toLowerCase();
  return shown === path || (shown === "" && asked !== "" && `/${path.toLowerCase()}`.endsWith(`/${asked}`));
}

const fileOf = (path: string): string => path.split("/").at(-1) ?? path;

function finding(level: Finding["level"], detail: string): Finding {
  return { rule: "truncated-basis", level, evidence: [], detail };
}
