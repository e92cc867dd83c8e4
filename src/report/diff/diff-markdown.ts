import { escapeMarkdown as escaped, markdownRow } from "../markdown.js";
import { counted } from "../numbers.js";
import { COMPARED_STOPS_HEADERS, comparedStops } from "../plan-sentences.js";
import type { ComparedTask, Comparison } from "./diff.js";
import {
  classChange,
  classParts,
  countsOf,
  deltaText,
  groupParts,
  headlineParts,
  labelParts,
  leftOutLines,
  powerSentence,
  profileParts,
  SECONDARY_HEADERS,
  secondaryCells,
  sideName,
} from "./diff-sentences.js";
import { isChanged } from "./diff-terminal.js";

/** Rows of a table of tasks: a comment may have 65,536 characters in all. */
const MOST_ROWS = 150;

/** Comparisons as a pull-request comment: the verdict and a short table first, details folded. */
export function diffMarkdown(comparisons: readonly Comparison[]): string {
  const each = comparisons.map((comparison) => comparisonLines(comparison, comparisons.length > 1));
  return `${each.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function comparisonLines(comparison: Comparison, several: boolean): string[] {
  const { base, head, base_arm, head_arm, base_run, head_run, gate } = comparison;
  const [headline = "", ...evidence] = headlineParts(comparison);
  const names = [sideName(base, base_arm, comparison), sideName(head, head_arm, comparison)];
  const profile = profileParts(comparison);
  return [
    `### ${gate.failed ? "❌" : comparison.verdict.endsWith("worse") ? "⚠️" : "✅"} ${escaped(headline)}`,
    "",
    `${escaped(evidence.join(" · "))}  `,
    `**Gate ${gate.failed ? "failed" : "passed"}:** ${escaped(gate.reason)}`,
    ...(several ? ["", `${escaped(names[0] ?? "")} → ${escaped(names[1] ?? "")}`] : []),
    "",
    ...secondaryTable(comparison),
    ...stopTable(comparison),
    ...leftOutLines(comparison).flatMap((line) => [`* ${escaped(line)}`]),
    "",
    ...folded(changedTitle(comparison), taskTable(comparison, comparison.tasks.filter(isChanged))),
    ...folded(
      `All ${counted(comparison.common, "common task")}: ${[...groupParts(comparison), ...classParts(comparison)].join(" · ")}`,
      taskTable(comparison, comparison.tasks),
    ),
    ...folded("What was compared", [
      `* base ${escaped([names[0], ...labelParts(base_run)].join(" · "))}`,
      `* head ${escaped([names[1], ...labelParts(head_run)].join(" · "))}`,
      ...(profile.length === 0 ? [] : [`* profile: ${escaped(profile.join(" · "))}`]),
      `* ${escaped(powerSentence(comparison))}`,
    ]),
  ];
}

function changedTitle({ tasks }: Comparison): string {
  const changed = tasks.filter(isChanged);
  const dropped = changed.filter(({ change }) => change < 0).length;
  const rose = changed.filter(({ change }) => change > 0).length;
  return `${changed.length} of ${counted(tasks.length, "task")} changed: ${dropped} down, ${rose} up`;
}

function secondaryTable({ secondary }: Comparison): string[] {
  if (secondary.length === 0) return [];
  return [
    markdownRow(SECONDARY_HEADERS),
    `| --- ${"| --: ".repeat(SECONDARY_HEADERS.length - 1)}|`,
    ...secondary.map((row) => markdownRow(secondaryCells(row))),
    "",
  ];
}

function stopTable({ plans }: Comparison): string[] {
  const rows = comparedStops(plans.base, plans.head);
  if (rows.length === 0) return [];
  return [markdownRow(COMPARED_STOPS_HEADERS), "| --- | --: | --: |", ...rows.map(markdownRow), ""];
}

function taskTable(comparison: Comparison, tasks: readonly ComparedTask[]): string[] {
  if (tasks.length === 0) return ["none"];
  const more = tasks.length - MOST_ROWS;
  return [
    "| task | base | head | Δ | class |",
    "| --- | --: | --: | --: | --- |",
    ...tasks
      .slice(0, MOST_ROWS)
      .map(({ task_id, base, head, change }) =>
        markdownRow([task_id, countsOf(base), countsOf(head), deltaText(comparison, change), classChange(base, head)]),
      ),
    ...(more > 0 ? ["", `… and ${counted(more, "more task")}`] : []),
  ];
}

function folded(title: string, lines: readonly string[]): string[] {
  return [`<details><summary>${escaped(title)}</summary>`, "", ...lines, "", "</details>", ""];
}
