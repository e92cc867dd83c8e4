import { textArgument } from "../../core/evidence.js";
import { type CheckInput, type CheckOutcome, NOTHING_FOUND } from "./check.js";
import { containsPhrase, names, plainWords, returnsOf } from "./known-text.js";
import { submittedReadings, usedTables } from "./submission.js";

const READING_TOOLS: readonly string[] = [
  "read_doc",
  "inspect_doc_structure",
  "extract_structured_doc",
  "execute_python",
];
/** Words that say nothing about what a document is needed for. */
const COMMON = new Set(
  `about also answer average column columns data date days does document each field file find from give have hold into list many
  month months more most name names number only other over record records show shown some such table tables than that their them then
  there these they this those time value values were what when where which with year years`.split(/\s+/),
);

/**
 * Rule 9, `document-ignored` (a warning): knowledge.md names a document as the source of something that the question or the submitted SQL
 * is about, and the agent never opened it. What a paragraph of knowledge.md is about is told by the words that it shares with them.
 */
export function documentIgnored(input: CheckInput): CheckOutcome {
  const { knowledge, catalog, question } = input.started;
  const documents = catalog.documents.filter(({ path }) => path.toLowerCase() !== "knowledge.md");
  if (knowledge === null || documents.length === 0) return NOTHING_FOUND;
  const read = submittedReadings(input);
  if ("need" in read) return read;
  const used = usedTables(read.submitted).flatMap(({ columns }) => columns);
  const wanted = tellingWords([question, ...used].join(" "));
  const paragraphs = knowledge.split(/\n\s*\n/).map(plainWords);
  const findings = documents.flatMap(({ path }) => {
    const file = path.split("/").at(-1) ?? path;
    const about = paragraphs.filter((words) => names(words, file));
    const shared = about.flatMap((words) => wanted.filter((word) => containsPhrase(withoutName(words, path), word)));
    const isOpened = openedPaths(input).some((opened) => path.toLowerCase().endsWith(opened) || opened.includes(file));
    if (shared.length === 0 || isOpened) return [];
    return [
      {
        rule: "document-ignored" as const,
        level: "warn" as const,
        evidence: [],
        detail: input.say.documentIgnored(path, [...new Set(shared)].slice(0, 3)),
      },
    ];
  });
  return { findings };
}

function withoutName(words: string, path: string): string {
  return words.replaceAll(plainWords(path), " ");
}

/** Words of four letters or more, with and without an ending, and pairs of Chinese characters. */
function tellingWords(text: string): readonly string[] {
  const words = plainWords(text).split(" ");
  const spaced = words.filter((word) => /^[\p{Script=Latin}\p{N}]{4,}$/u.test(word) && !COMMON.has(word));
  const han = [...plainWords(text).matchAll(/\p{Script=Han}+/gu)].flatMap(([run]) =>
    [...run].slice(1).map((character, index) => ([...run][index] ?? "") + character),
  );
  const stems = spaced.map((word) => word.replace(/(?:es|s)$/, "")).filter((stem) => stem.length >= 4);
  return [...new Set([...spaced, ...stems, ...han])];
}

/** Paths that calls opened with success; of code all that it says. */
function openedPaths(input: CheckInput): readonly string[] {
  return returnsOf(input).flatMap(({ returned }) => {
    if (!returned.ok || !READING_TOOLS.includes(returned.tool)) return [];
    const path = textArgument(returned.args, "path") ?? textArgument(returned.args, "code") ?? "";
    return path === "" ? [] : [path.replace(/^(\.?\/)+/, "").toLowerCase()];
  });
}
