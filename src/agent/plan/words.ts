/** Words of English and Chinese that say nothing about what is to be done: grammar, order and filler. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the of in on at to for by with from into per and or but is are was were be been being do does did has have had this that these " +
    "those there their its it they we you our your all any each every both either as than then if not no can could should would will " +
    "may might such only just about within among between during so out up off over again also using use used via which who what where " +
    "when how please first second third next finally now carefully simply really actually properly step task goal sub " +
    "的 了 和 与 及 或 在 是 为 对 把 将 被 从 到 由 以 用 并 中 上 下 里 其 该 这 那 这些 那些 各 每 个 所有 全部 相关 有关 进行 使用 " +
    "通过 根据 按照 并且 以及 然后 首先 其次 接着 最后 再 先 请 需要 必须 可以 应 应该 之后 之前 之间 等 也 都 就 还 而 于 步骤 任务 目标 子目标 一下 仔细"
  ).split(" "),
);

const segmenters = new Map<string, Intl.Segmenter>();

/** Words that carry meaning, lower case, without a plural's s, each once, sorted: the same for a text however its words are ordered or padded. */
export function contentWords(text: string): string[] {
  const locale = /\p{Script=Han}/u.test(text) ? "zh" : "en";
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: "word" });
  segmenters.set(locale, segmenter);
  const words = [...segmenter.segment(text.normalize("NFKC").toLowerCase())]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => word.replace(/(?<=[a-z]{3})s$/, ""));
  return [...new Set(words)].sort();
}
