import type { TrialStarted } from "../core/event.js";
import type { Discipline } from "../core/profile.js";

/*
 * What a prompt asks of a conclusion's closing lines, in three doses (seed 2, section 7): a plea for sources, a demand for a line,
 * and the exact form of the lines. Whether it is obeyed is computed when scoring, by the line formats of a task's checks.
 */

const ENGLISH: Readonly<Record<Exclude<Discipline, "none">, string>> = {
  advice: "Please name the sources of your numbers in the conclusion.",
  line: "The conclusion must end with a line that lists the sources of its numbers. Without this line the work is not delivered.",
  template: `The conclusion must end with these two lines, each on a line of its own, in exactly this form. Without them the work is not delivered.
Basis: <definition of the figure, period and filters>
Sources: <tables or files, separated by ", ", and nothing else>`,
};

const CHINESE: typeof ENGLISH = {
  advice: "请在结论中标注数字的来源。",
  line: "结论末尾必须有一行来源清单，列出数字的来源。缺少这一行等于没有完成交付。",
  template: `结论必须以下面两行结尾，各占一行，格式一字不差。缺少任何一行等于没有完成交付。
口径：<指标的定义、时间范围和筛选条件>
来源：<表名或文件名，多个之间用、分隔，不加其他文字>`,
};

/** The text that a discipline adds to the system prompt; null for none. */
export function disciplineText(language: TrialStarted["language"], discipline: Discipline): string | null {
  if (discipline === "none") return null;
  return (language === "zh" ? CHINESE : ENGLISH)[discipline];
}
