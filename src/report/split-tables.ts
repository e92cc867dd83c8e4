import type { ArmSummary } from "./arm-summary.js";
import { half, percent, score3, seconds, UNDEFINED } from "./numbers.js";
import type { Rate } from "./rate.js";
import type { RunSummary } from "./summary.js";
import type { TableColumn } from "./text-table.js";

/** A table for the terminal, where columns may give way, and for Markdown, where they stay. */
export interface SplitTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

const NO_ROWS: SplitTable = { columns: [], rows: [] };

/** The headline split by what differs between tasks and trials; a split into one part is left out, the line above says it already. */
export function splitTables(arm: ArmSummary): SplitTable[] {
  const { by_difficulty, by_tag, by_path, metric } = arm;
  return [
    by_difficulty.length > 1 ? groupTable("by difficulty", by_difficulty, metric) : NO_ROWS,
    // One tag has some of the tasks, not all.
    groupTable("by tag", by_tag, metric),
    by_path.length > 1 ? pathTable(arm) : NO_ROWS,
  ].filter(({ rows }) => rows.length > 0);
}

const RATE_COLUMNS: readonly TableColumn[] = [
  { header: "tasks", align: "right" },
  { header: "trials", align: "right", drop: 1 },
  { header: "mean", align: "right" },
  { header: "SE", align: "right", drop: 2 },
  { header: "95 % CI", align: "right", drop: 3 },
];

const named = (header: string): TableColumn => ({ header, align: "left", min: 13, cut: "middle" });

type Rated = Rate & { readonly valid_trials: number };

/** Cells under `RATE_COLUMNS`. */
function rateCells({ rated_tasks, valid_trials, mean, stderr, ci95 }: Rated, metric: ArmSummary["metric"]): string[] {
  const size = (value: number) => (metric === "score" ? value.toFixed(3) : (value * 100).toFixed(1));
  const end = (value: number) => (metric === "score" ? value.toFixed(2) : String(Math.round(value * 100)));
  return [
    String(rated_tasks),
    String(valid_trials),
    metric === "score" ? score3(mean) : percent(mean),
    stderr === null ? UNDEFINED : size(stderr),
    ci95 === null ? UNDEFINED : ci95.map(end).join("–"),
  ];
}

function groupTable(
  header: string,
  groups: readonly (Rated & { readonly name: string })[],
  metric: ArmSummary["metric"],
): SplitTable {
  return {
    columns: [named(header), ...RATE_COLUMNS],
    rows: groups.map((group) => [group.name, ...rateCells(group, metric)]),
  };
}

function pathTable({ by_path, metric }: ArmSummary): SplitTable {
  return {
    columns: [
      named("by path"),
      ...RATE_COLUMNS,
      { header: "tool calls", align: "right", drop: 4 },
      { header: "s", align: "right", drop: 5 },
    ],
    rows: by_path.map((path) => [
      path.path,
      ...rateCells(path, metric),
      half(path.median_tool_calls),
      seconds(path.median_seconds),
    ]),
  };
}

/** All arms of a run, a row each; no rows where there is one. */
export function armTable({ arms }: RunSummary): SplitTable {
  const [first, ...others] = arms;
  if (first === undefined || others.length === 0) return NO_ROWS;
  const k = String(first.repeats);
  return {
    columns: [
      named("by arm"),
      ...RATE_COLUMNS,
      { header: `pass^${k}`, align: "right", drop: 4 },
      { header: "steps", align: "right", drop: 5 },
      { header: "s", align: "right", drop: 6 },
    ],
    rows: arms.map((arm) => [
      arm.arm,
      ...rateCells(arm, arm.metric),
      percent(arm.pass_hat_k[k] ?? null),
      half(arm.median_steps),
      seconds(arm.median_seconds),
    ]),
  };
}
