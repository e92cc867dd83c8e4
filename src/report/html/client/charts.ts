import * as Plot from "@observablehq/plot";
import type { ArmSummary } from "../../arm-summary.js";
import { percent } from "../../numbers.js";
import type { TrialRow } from "../page-data.js";
import { h } from "./dom.js";
import { phrase, t } from "./strings.js";

/** Failure modes shown; the rest is in the task table. */
const MOST_FAILURES = 10;
const WIDEST = { beside: 480, alone: 680 };
/** Below it charts stand one under another. */
const TWO_COLUMNS = 920;
/** Beside a chart: the page's and the figure's padding. */
const PADDING = 52;
const BELOW = 44;
/** From so many tasks on dots are small and shift a little to the side, so that equal scores show how many they are. */
const MANY_TASKS = 60;
const PASSED = "var(--good)";
const MISSED = "var(--bad)";

/** The charts of one arm. Shapes say what colours say: a circle passed, a cross did not. */
export function armCharts(arm: ArmSummary, trials: readonly TrialRow[]): HTMLElement {
  return h(
    "div",
    { class: "charts" },
    strip(arm),
    costAgainstScore(trials),
    spread(
      t("steps_spread"),
      t("steps"),
      trials.map((trial) => trial.steps),
      true,
    ),
    spread(
      t("seconds_spread"),
      t("seconds"),
      trials.map((trial) => trial.wall_ms / 1000),
    ),
    failures(arm),
    arm.by_difficulty.length > 1
      ? rates(
          t("by_difficulty"),
          arm.by_difficulty.map((group) => ({ ...group, name: phrase(group.name) })),
          arm,
        )
      : null,
  );
}

/** Rates with their intervals, one a row. */
export function rates(
  title: string,
  groups: readonly {
    readonly name: string;
    readonly mean: number | null;
    readonly ci95: readonly [number, number] | null;
  }[],
  { metric }: Pick<ArmSummary, "metric">,
): HTMLElement {
  const known = groups.flatMap(({ name, mean, ci95 }) =>
    mean === null ? [] : [{ name, mean, low: ci95?.[0] ?? mean, high: ci95?.[1] ?? mean }],
  );
  return figure(title, known.map(({ name, mean }) => `${name} ${percent(mean)}`).join(", "), {
    marginLeft: margin(known.map(({ name }) => name)),
    height: 70 + known.length * 28,
    x: {
      domain: [0, 1],
      label: metric === "score" ? t("mean_score") : t("pass_rate"),
      labelOffset: BELOW - 6,
      tickFormat: "%",
    },
    y: { label: null, domain: known.map(({ name }) => name) },
    marks: [
      Plot.barX(known, { x: "mean", y: "name", fill: "var(--accent-soft)" }),
      Plot.ruleY(known, { x1: "low", x2: "high", y: "name", stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.tickX(known, { x: "mean", y: "name", stroke: "var(--accent)", strokeWidth: 3 }),
      Plot.ruleX([0]),
    ],
  });
}

function strip(arm: ArmSummary): HTMLElement {
  const many = arm.tasks.length > MANY_TASKS;
  const dots = arm.tasks.flatMap((task, position) =>
    task.scores.flatMap((score, index) =>
      score === null
        ? []
        : [
            {
              score,
              repeat: index + 1,
              passed: task.marks[index] === "pass",
              lane: spreadOf(position),
              shift: many ? 0.05 * (spreadOf(position * 7 + index) - 0.5) : 0,
              task: task.task_id,
            },
          ],
    ),
  );
  return figure(t("strip"), `${dots.length} ${t("trials")}`, {
    height: 74 + arm.repeats * 46,
    marginLeft: 40,
    x: {
      domain: [-0.05, 1.05],
      ticks: [0, 0.25, 0.5, 0.75, 1],
      tickFormat: ".2f",
      label: t("score"),
      labelOffset: BELOW - 6,
    },
    y: { axis: null, domain: [0, 1] },
    fy: { label: null, tickFormat: (repeat: number) => `k ${repeat}`, axis: "left" },
    symbol: { domain: [true, false], range: ["circle", "times"] },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      Plot.dot(dots, {
        x: (dot) => dot.score + dot.shift,
        y: "lane",
        fy: "repeat",
        symbol: "passed",
        stroke: (dot) => (dot.passed ? PASSED : MISSED),
        r: many ? 1.5 : 3.5,
        strokeOpacity: many ? 0.5 : 1,
        title: (dot) => `${dot.task}: ${dot.score}`,
      }),
    ],
  });
}

/** Spreads equal scores out, the same at each drawing (golden ratio). */
function spreadOf(position: number): number {
  return 0.1 + 0.8 * ((position * 0.618_033_988_7) % 1);
}

function costAgainstScore(trials: readonly TrialRow[]): HTMLElement | null {
  const priced = trials.some(({ cost_usd }) => cost_usd !== null && cost_usd > 0);
  const dots = trials.flatMap(({ task_id, k, score, status, cost_usd, tokens }) => {
    const spent = priced ? cost_usd : tokens;
    return score === null || spent === null
      ? []
      : [{ name: `${task_id}#${k}`, score, spent, passed: status === "perfect" }];
  });
  if (dots.length === 0) return null;
  return figure(priced ? t("cost_score") : t("tokens_score"), `${dots.length} ${t("trials")}`, {
    height: 220,
    x: {
      label: priced ? `${t("cost")} (US$)` : t("tokens"),
      labelOffset: BELOW - 6,
      zero: true,
      ticks: 5,
      nice: true,
      tickFormat: "~s",
    },
    y: { domain: [-0.05, 1.05], ticks: [0, 0.5, 1], label: t("score") },
    symbol: { domain: [true, false], range: ["circle", "times"] },
    marks: [
      Plot.gridY([0, 0.5, 1], { stroke: "currentColor", strokeOpacity: 0.15 }),
      Plot.dot(dots, {
        x: "spent",
        y: "score",
        symbol: "passed",
        stroke: (dot) => (dot.passed ? PASSED : MISSED),
        r: 3.5,
        title: (dot) => `${dot.name}: ${dot.score}, ${dot.spent}`,
      }),
    ],
  });
}

function spread(title: string, label: string, values: readonly number[], whole = false): HTMLElement | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return figure(title, `${values.length} ${t("trials")}, ~${middle.toFixed(1)} ${label}`, {
    height: 200,
    x: {
      label,
      labelOffset: BELOW - 6,
      ...(whole ? { ticks: wholeTicks(sorted), tickFormat: "d" } : { ticks: 6, tickFormat: "~r" }),
    },
    y: { label: t("trials_axis"), ticks: 4 },
    marks: [
      Plot.rectY(
        values.map((value) => ({ value })),
        {
          ...Plot.binX({ y: "count" }, { x: "value", ...(whole ? { thresholds: aroundWhole(sorted) } : {}) }),
          fill: "var(--accent-soft)",
          stroke: "var(--accent)",
        },
      ),
      Plot.ruleY([0]),
    ],
  });
}

/** Bounds half way between whole numbers, so that each has a bar of its own in the middle of which it stands. */
function aroundWhole(sorted: readonly number[]): number[] {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return Array.from({ length: most - least + 2 }, (_, index) => least - 0.5 + index);
}

function wholeTicks(sorted: readonly number[]): number[] {
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const every = Math.ceil((most - least + 1) / 10);
  return Array.from({ length: most - least + 1 }, (_, index) => least + index).filter(
    (_, index) => index % every === 0,
  );
}

function failures(arm: ArmSummary): HTMLElement {
  const counts = new Map<string, number>();
  for (const { note, trials } of arm.tasks.flatMap((task) => task.notes))
    counts.set(note, (counts.get(note) ?? 0) + trials);
  const modes = [...counts]
    .map(([note, trials]) => ({ note: shorten(phrase(note)), trials }))
    .sort((a, b) => b.trials - a.trials)
    .slice(0, MOST_FAILURES);
  if (modes.length === 0) return h("figure", {}, h("figcaption", {}, t("failures")), h("p", {}, t("no_failures")));
  return figure(t("failures"), modes.map(({ note, trials }) => `${note}: ${trials}`).join("; "), {
    marginLeft: margin(modes.map(({ note }) => note)),
    marginRight: 40,
    height: 66 + modes.length * 24,
    x: { label: t("trials_axis"), ticks: 4, labelOffset: BELOW - 6 },
    y: { label: null, domain: modes.map(({ note }) => note) },
    marks: [
      Plot.barX(modes, { x: "trials", y: "note", fill: "var(--accent-soft)" }),
      Plot.text(modes, {
        x: "trials",
        y: "note",
        text: (mode) => String(mode.trials),
        textAnchor: "start",
        dx: 4,
        fill: "currentColor",
      }),
      Plot.ruleX([0]),
    ],
  });
}

function shorten(text: string): string {
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}

/** Room for the longest name; East Asian characters are twice as wide. */
function margin(names: readonly string[]): number {
  const widths = names.map((name) => [...name].reduce((sum, one) => sum + (one > "\u2e80" ? 12 : 6.5), 0));
  return Math.min(220, 14 + Math.max(40, ...widths));
}

function figure(title: string, summary: string, options: Plot.PlotOptions): HTMLElement {
  const chart = Plot.plot({
    width: Math.min(innerWidth < TWO_COLUMNS ? WIDEST.alone : WIDEST.beside, innerWidth - PADDING),
    marginBottom: BELOW,
    ...options,
    figure: false,
  });
  // The page's own style has what Plot puts into each chart; the policy lets no other style in.
  for (const style of chart.querySelectorAll("style")) style.remove();
  // One picture with one name: names of its parts would be of no role.
  for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  chart.setAttribute("class", "chart");
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", `${title}: ${summary}`);
  return h("figure", {}, h("figcaption", {}, title), chart);
}
