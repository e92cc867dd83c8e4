import type { ModelRequest } from "../../core/message.js";
import { stem } from "../lexical/words/stem.js";
import { STOP_WORDS } from "../lexical/words/stop-words.js";
import { type JudgeWords, judgeWords } from "./judge-words.js";
import { partOf } from "./request-parts.js";

/** Words that tell to do something, or that something was done, and say nothing of what. */
const BUSY_WORDS = new Set(
  [
    "list find give state show name report determine identify compute calculate answer output result task goal sub accept criterion criteria",
    "requirement require request complete completed completion done finish analysis analyse analyze check review process work step data information",
    "detail relevant various appropriate overall conclusion summary provide present meet met satisfy deliver include mention write question value",
    "列出 给出 说明 找出 统计 计算 回答 输出 结果 任务 目标 标准 验收 要求 完成 已经 进行 分析 检查 处理 步骤 数据 信息 相关 情况 内容 满足 符合 提供 包括 问题 所有 全部 各 每 个 的 了 是 在 和 与 及 或 中 为 有 对 并 从 到 按 请 应 都 也 就 将 把 被 其 该 此 等",
  ]
    .flatMap((line) => line.split(" "))
    .map((word) => stem(word)),
);
const GIVING_UP =
  /\b(?:could not|cannot|can't|unable to|not possible to|no data|not found|unknown)\b|无法|未能|没有找到|未找到|不清楚|不知道/i;
const COUNT_WORDS = "zero one two three four five six seven eight nine ten".split(" ");
const COUNT_SIGNS = "零一二三四五六七八九十";
const AT_LEAST = /(?:at least|no fewer than|≥|>=|至少|不少于)\s*(\d{1,2}|[a-z]+|[一二两三四五六七八九十])/i;

interface Judgement {
  readonly score: number;
  /** Null: none. */
  readonly problem: string | null;
}

/**
 * The goal judge's role without a language model: rules over the same request text. It asks whether the output speaks of what was asked, says
 * anything definite about it, and has as many items as were asked for. It understands nothing; it is there so that verification runs without a key.
 */
export function judgeGoal(request: ModelRequest): object {
  const words = judgeWords(request);
  const { score, problem } = judgementOf(request, words);
  return { problem: problem ?? words.none, score, reason: problem ?? words.met };
}

function judgementOf(request: ModelRequest, words: JudgeWords): Judgement {
  const [goal, accept] = [given(request, "sub_goal"), given(request, "accept")];
  const subject = goal === "" ? partOf(request, "task") : goal;
  const asked = `${subject}\n${accept}`;
  const output = outputOf(request);
  const wanted = contentWords(subject);
  const echoed = contentWords(asked);
  const said = contentWords(output);
  const missing = [...wanted].filter((word) => !said.has(word) && !(isHan(word) && output.includes(word)));
  const covered = wanted.size === 0 ? 1 : 1 - missing.length / wanted.size;
  const definite = [...said].filter((word) => !echoed.has(word)).length + (output.match(/\d+/g)?.length ?? 0);
  if (GIVING_UP.test(output) && definite < 6) return { score: 0.3, problem: words.gaveUp };
  if (definite < 2) return { score: 0.2, problem: words.nothing };
  if (covered < 0.2) return { score: 0.25, problem: words.silentOn(missing.slice(0, 3).join(", ")) };
  const lacking = lackOf(asked, output, words);
  if (lacking !== null) return { score: 0.6, problem: lacking };
  if (covered < 0.4) return { score: 0.65, problem: words.silentOn(missing.slice(0, 3).join(", ")) };
  return { score: 0.9, problem: null };
}

/** A year that was asked for, or items in a number that was asked for, that the output lacks; null where it lacks none. */
function lackOf(asked: string, output: string, words: JudgeWords): string | null {
  const year = asked.match(/(?<!\d)(?:19|20)\d{2}(?!\d)/g)?.find((one) => !output.includes(one));
  if (year !== undefined) return words.silentOn(year);
  const least = countOf(AT_LEAST.exec(asked)?.[1]);
  const items = itemsOf(output);
  return least !== null && items < least ? words.tooFew(items, least) : null;
}

function countOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const found = [Number(text), COUNT_WORDS.indexOf(text.toLowerCase()), COUNT_SIGNS.indexOf(text.replace("两", "二"))];
  return found.find((count) => count > 0) ?? null;
}

/** Lines of a list, else the parts of an enumeration. */
function itemsOf(output: string): number {
  const lines = output.split("\n").filter((line) => /^\s*(?:[-*•]|\d{1,2}[.)、])\s*\S/.test(line)).length;
  return lines > 0
    ? lines
    : output.split(/[,，、;；。\n]|\band\b|\. /).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

function given(request: ModelRequest, name: string): string {
  const text = partOf(request, name);
  return text === "(none)" ? "" : text;
}

function outputOf(request: ModelRequest): string {
  try {
    const output: unknown = JSON.parse(partOf(request, "output"));
    return typeof output === "string" ? output.replaceAll(/\[E\d+\]/g, " ") : "";
  } catch {
    return "";
  }
}

/** Each segment keeps a copy of the text that it is one of: of a long text at once, thousands of copies. */
const PIECE = /\S{1,200}/gu;
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Words that carry a meaning, English ones as stems. */
function contentWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const piece of text.normalize("NFKC").toLowerCase().match(PIECE) ?? []) {
    for (const { isWordLike, segment } of segmenter.segment(piece)) {
      if (isWordLike !== true || /^[\d.,]+$/.test(segment) || STOP_WORDS.has(segment)) continue;
      const word = isHan(segment) ? segment : stem(segment);
      if (!BUSY_WORDS.has(word)) words.add(word);
    }
  }
  return words;
}

const isHan = (word: string): boolean => /\p{Script=Han}/u.test(word);
