import { stem } from "../words/stem.js";
import { STOP_WORDS } from "../words/stop-words.js";
import { normalise } from "../words/tokens.js";
import type { Entry } from "./entries.js";
import type { Term } from "./glossary.js";

/** Something that a document states outright: `Maximum group size: 25`. */
export interface Fact {
  readonly value: string;
  /** The line or sentence that states it. */
  readonly stated: string;
  /** How much of the question it speaks of, 0 … 1. */
  readonly coverage: number;
}

/** Words of a question that only ask. */
export const ASKING: ReadonlySet<string> = new Set(
  "what which who whom whose when where how many much long is are was were do does did list give tell name state find".split(
    " ",
  ),
);

/** The fact of the documents that speaks of most of what a question asks; null where none states a value. */
export function findFact(
  question: string,
  all: readonly Entry[],
  defined: readonly Term[],
  columns: readonly string[],
): Fact | null {
  const formulas = new Set([
    ...defined.filter((term) => term.expression !== null).map((term) => term.name),
    ...columns,
  ]);
  const entries = all.filter((entry) => entry.key === null || !formulas.has(entry.key));
  const asked = contentOf(question);
  if (asked.length === 0) return null;
  let best: Fact | null = null;
  for (const entry of entries) {
    const value = statedValue(entry, question);
    if (value === null) continue;
    const about = new Set(contentOf(`${entry.headings.slice(-1).join(" ")} ${entry.key ?? ""} ${entry.body}`));
    const around = new Set(
      entries
        .filter((other) => other !== entry && isBeside(other, entry))
        .flatMap((other) => contentOf(`${other.key ?? ""} ${other.body}`)),
    );
    const spoken = asked.filter((word) => about.has(word)).length;
    const near = asked.filter((word) => !about.has(word) && around.has(word)).length;
    const keyed = entry.key === null ? 0 : 0.02;
    const coverage = (spoken + 0.5 * near) / asked.length + keyed;
    if (coverage > (best?.coverage ?? 0))
      best = { value, stated: entry.key === null ? entry.body : `${entry.key}: ${entry.body}`, coverage };
  }
  return best;
}

/** In one section: what stands there belongs together. */
function isBeside(left: Entry, right: Entry): boolean {
  return left.headings.join("\n") === right.headings.join("\n");
}

/** Words that say what is asked about: stems, or pairs of characters where the text is Chinese. */
function contentOf(text: string): readonly string[] {
  const plain = normalise(text);
  const words = plain
    .split(" ")
    .filter((word) => word !== "" && !/\p{Script=Han}/u.test(word) && !STOP_WORDS.has(word) && !ASKING.has(word))
    .map(stem);
  const han =
    plain.replaceAll(/是多少|是什么|是谁|哪个|哪些|什么|多少|请问|的|是|为/gu, " ").match(/\p{Script=Han}{2,}/gu) ?? [];
  const pairs = han.flatMap((run) => Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2)));
  return [...new Set([...words, ...pairs])];
}

/** What an entry states: all behind its key, or behind the verb of its sentence; a number alone where one is asked. */
function statedValue(entry: Entry, question: string): string | null {
  const stated = entry.key === null ? predicate(entry.body) : firstSentence(entry.body);
  if (stated === null || stated.length > 160) return null;
  if (/\bhow (?:many|much)\b|多少|几/i.test(question) && !/\d/.test(stated)) return null;
  const asksNumber =
    /\bhow (?:many|much)\b|\bin (?:days|months|years|hours|minutes|percent|metres|meters|kg|km)\b|多少|几(?:个|天|年)/i.test(
      question,
    );
  const number = /-?\d[\d,]*(?:\.\d+)?/.exec(stated)?.[0];
  const isQuantity =
    number !== undefined && new RegExp(`^\\D{0,12}${escaped(number)}\\s*[\\p{L}%]{0,12}\\.?$`, "u").test(stated);
  return asksNumber && isQuantity ? (number ?? stated).replaceAll(",", "") : stated;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function predicate(sentence: string): string | null {
  const match =
    /^(.{3,}?)\s+(?:is|are|was|were|equals?|means?|amounts? to)\s+(?:set to |called |named |at |located (?:at|in) )?(.{1,160}?)[.。]?$/iu.exec(
      sentence,
    );
  const chinese = /^(.{2,}?)(?:为|是|：)(.{1,80}?)[。.]?$/u.exec(sentence);
  return (/\p{Script=Han}/u.test(sentence) ? chinese?.[2] : match?.[2])?.trim() ?? null;
}

function firstSentence(body: string): string {
  const end = body.search(/(?<!\b(?:Dr|Mr|Ms|Mrs|St|No|vs|e\.g|i\.e))[.](?:\s+\p{Lu}|\s*$)|[。；;]/u);
  return body
    .slice(0, end < 0 ? undefined : end)
    .replaceAll(/[`*]/g, "")
    .trim();
}
