import type { ArmSummary } from "./arm-summary.js";
import { CONFUSION_HEADERS, confusionNotes, confusionRows } from "./confusion-table.js";
import { doseSentences, doseTable } from "./dose-response.js";
import { escapeMarkdown as escaped, markdownRow } from "./markdown.js";
import { half, score3, seconds } from "./numbers.js";
import { CLAIM_CHECK_HEADERS, claimCheckRow, LINE_FORMAT_HEADERS, lineFormatRow } from "./own-checks.js";
import { STOPPED_HEADERS, stoppedRows } from "./plan-sentences.js";
import { passesOf, whatWentWrong } from "./render-terminal.js";
import { armSentences, originParts, reservations } from "./sentences.js";
import { armTable, type SplitTable, splitTables } from "./split-tables.js";
import type { RunSummary } from "./summary.js";

/** A run as Markdown, e.g. for a pull request: the numbers first, then a row a task. */
export function renderMarkdown(summary: RunSummary): string {
  const head = [
    `### ${escaped(summary.run_id)}`,
    "",
    [summary.suite, summary.model, summary.strategy, `seed ${summary.seed}`, summary.status].map(escaped).join(" · "),
    ...originParts(summary).map((part) => `\n**${escaped(part)}**`),
    ...reservations(summary).map((sentence) => `\n**${escaped(sentence)}**`),
  ];
  const arms = summary.arms.flatMap((arm) => armLines(summary, arm));
  return `${[...head, ...splitLines(armTable(summary)), ...arms, ...doseLines(summary)].join("\n")}\n`;
}

function doseLines({ dose_response }: RunSummary): string[] {
  if (dose_response === null) return [];
  const { headers, rows } = doseTable(dose_response);
  return [
    ...countLines(headers, rows),
    "",
    ...doseSentences(dose_response).map((sentence) => `* ${escaped(sentence)}`),
  ];
}

function armLines(summary: RunSummary, arm: ArmSummary): string[] {
  const [first = "", ...others] = armSentences(summary, arm).map((parts) => parts.map(escaped).join(" · "));
  return [
    ...(summary.arms.length > 1 ? ["", `#### ${escaped(arm.arm)}`] : []),
    "",
    `**${first}**`,
    "",
    ...others.map((sentence) => `* ${sentence}`),
    "",
    "| task | difficulty | passes | class | score | steps | s | what went wrong |",
    "| --- | --- | --: | --- | --: | --: | --: | --- |",
    ...arm.tasks.map((task) => {
      const cells = [
        task.task_id,
        task.difficulty,
        passesOf(task),
        task.class,
        score3(task.mean_score),
        half(task.median_steps),
        seconds(task.median_seconds),
        whatWentWrong(task),
      ];
      return markdownRow(cells);
    }),
    ...splitTables(arm).flatMap(splitLines),
    ...countLines(LINE_FORMAT_HEADERS, arm.line_formats.map(lineFormatRow)),
    ...countLines(CLAIM_CHECK_HEADERS, arm.claim_checks.map(claimCheckRow)),
    ...confusionLines(arm.validation),
    ...countLines(STOPPED_HEADERS, stoppedRows(arm.plans)),
  ];
}

function confusionLines(validation: ArmSummary["validation"]): string[] {
  if (validation === null || validation.confusion.length === 0) return [];
  return [
    ...countLines(CONFUSION_HEADERS, confusionRows(validation.confusion)),
    ...confusionNotes(validation).flatMap((note) => ["", note]),
  ];
}

function splitLines({ columns, rows }: SplitTable): string[] {
  return countLines(
    columns.map(({ header }) => header),
    rows,
  );
}

/** A name and its counts a row; nothing where there are none. */
function countLines(headers: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const head = `| ${headers.join(" | ")} |`;
  return ["", head, `| --- ${"| --: ".repeat(headers.length - 1)}|`, ...rows.map(markdownRow)];
}
