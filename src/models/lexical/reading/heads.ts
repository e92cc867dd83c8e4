import { lowerAt, type Question, startsWith } from "./question.js";

export type HeadKind =
  | "list"
  | "who"
  | "when"
  | "where"
  | "count"
  | "amount"
  | "percentage"
  | "ratio"
  | "difference"
  | "degree"
  | "yes-no";

/** A place where the question says what it wants. */
export interface Head {
  readonly kind: HeadKind;
  readonly from: number;
  /** Token after the words that ask. */
  readonly to: number;
  /** End of its sentence. */
  readonly end: number;
}

const IMPERATIVES = new Set(
  "list give provide show state find identify tell mention indicate calculate compute determine display get return enumerate specify describe report write present output name count estimate retrieve select include what which who whom whose when where how".split(
    " ",
  ),
);
const FILLERS = new Set([
  "me",
  "us",
  "the",
  "all",
  "out",
  "of",
  "please",
  "a",
  "an",
  "also",
  "both",
  "each",
  "is",
  "are",
  "was",
  "were",
  "their",
  "its",
  "his",
  "her",
  "or",
  "them",
  "list",
  "names's",
  "do",
  "does",
  "did",
  "about",
  "for",
  "with",
  "full",
  "every",
  "only",
  "respective",
  "corresponding",
  "exact",
]);
const OPENERS = new Set([
  ",",
  ".",
  "?",
  ";",
  ":",
  "!",
  "and",
  "please",
  "then",
  "also",
  "kindly",
  "can",
  "could",
  "you",
  "(",
  "-",
  "hence",
  "so",
]);
const LEADING = new Set([
  "in",
  "on",
  "at",
  "for",
  "by",
  "from",
  "to",
  "of",
  "with",
  "under",
  "during",
  "among",
  "within",
]);

/** Every head of the question in order. */
export function readHeads(question: Question): readonly Head[] {
  const heads: Head[] = [];
  for (let index = 0; index < question.tokens.length; index++) {
    if (!isHead(question, index, heads)) continue;
    const head = headAt(question, index);
    heads.push(head);
    index = Math.max(index, head.to - 1);
  }
  return heads;
}

function isHead(question: Question, index: number, earlier: readonly Head[]): boolean {
  const word = lowerAt(question, index);
  if (!IMPERATIVES.has(word) || question.tokens[index]?.quote !== null) return false;
  const before = lowerAt(question, index - 1);
  const opens =
    index === 0 ||
    OPENERS.has(before) ||
    (LEADING.has(before) && (index === 1 || OPENERS.has(lowerAt(question, index - 2))));
  const relative = ["which", "who", "whom", "whose", "when", "where"].includes(word);
  const inSentence = earlier.some((head) => head.end > index);
  const asksAgain = LEADING.has(before) && lowerAt(question, index - 2) === "and" && word === "which";
  if (relative && inSentence && before !== "and") return asksAgain;
  if (relative && before === "and" && inSentence) return followsAsQuestion(question, index);
  if (!opens && ["what", "which", "who", "how"].includes(word) && !inSentence && sentenceHasNoOther(question, index))
    return true;
  if (!relative && word === "name" && before !== "" && before !== "please" && !/[.?!;]/.test(before)) return false;
  return opens;
}

/** `… and who has not`: a relative clause goes on; `and which team …` asks again. */
function followsAsQuestion(question: Question, index: number): boolean {
  return (
    ["which", "when", "where"].includes(lowerAt(question, index)) &&
    !["has", "have", "is", "are", "was", "were", "had"].includes(lowerAt(question, index + 1))
  );
}

function sentenceHasNoOther(question: Question, index: number): boolean {
  for (let at = index - 1; at >= 0 && !/[.?!;]/.test(lowerAt(question, at)); at--) {
    if (IMPERATIVES.has(lowerAt(question, at)) && lowerAt(question, at) !== "name") return false;
  }
  return true;
}

function headAt(question: Question, index: number): Head {
  const end = sentenceEnd(question, index);
  const word = lowerAt(question, index);
  let at = index + 1;
  const make = (kind: HeadKind, to: number): Head => ({ kind, from: index, to, end });
  if (word === "how") return howHead(question, index, end);
  while (at < end && FILLERS.has(lowerAt(question, at))) at++;
  if (word === "who" || word === "whom") return make("who", index + 1);
  if (word === "when") return make("when", index + 1);
  if (word === "where") return make("where", index + 1);
  if (word === "what" || word === "which") {
    const noun = lowerAt(question, index + 1);
    if (["year", "date", "time", "day"].includes(noun)) return make("list", index + 1);
  }
  return asking(question, index, at, end) ?? make(word === "count" ? "count" : "list", at);
}

/** Percentages, ratios, differences and numbers, wherever the words before lead to. */
function asking(question: Question, from: number, at: number, end: number): Head | null {
  const word = lowerAt(question, at);
  const make = (kind: HeadKind, to: number): Head => ({ kind, from, to, end });
  if (["percentage", "percent", "proportion", "share", "fraction"].includes(word)) return make("percentage", at + 1);
  if (word === "ratio" || (word === "rate" && lowerAt(question, at + 1) === "of")) return make("ratio", at + 1);
  if (word === "difference" || word === "gap") return make("difference", at + 1);
  if (["number", "count"].includes(word) && lowerAt(question, at + 1) === "of") return make("count", at + 2);
  if (word === "total" && ["number", "count"].includes(lowerAt(question, at + 1))) return make("amount", at + 3);
  if (word === "amount" && lowerAt(question, at + 1) === "of") return make("amount", at + 2);
  return null;
}

function howHead(question: Question, index: number, end: number): Head {
  const next = lowerAt(question, index + 1);
  const make = (kind: HeadKind, to: number): Head => ({ kind, from: index, to, end });
  if (
    startsWith(question, index, ["how", "many", "percent"]) ||
    startsWith(question, index, ["how", "much", "percent"])
  )
    return make("percentage", index + 3);
  if (next === "many" && lowerAt(question, index + 2) === "more") return make("difference", index + 3);
  const than = question.tokens.slice(index, end).some((token) => /^(than|as)$/.test(token.lower));
  if (next === "many" && lowerAt(question, index + 2) === "times") return make(than ? "ratio" : "count", index + 3);
  if (next === "many") return make("count", index + 2);
  if (
    next === "much" &&
    ["more", "higher", "larger", "less", "lower", "greater"].includes(lowerAt(question, index + 2))
  )
    return make("difference", index + 3);
  if (next === "much") return make("amount", index + 2);
  return make("degree", index + 1);
}

function sentenceEnd(question: Question, index: number): number {
  for (let at = index; at < question.tokens.length; at++) {
    const text = lowerAt(question, at);
    if ((text === "?" || text === "." || text === ";" || text === "!") && question.tokens[at]?.quote === null)
      return at;
  }
  return question.tokens.length;
}
