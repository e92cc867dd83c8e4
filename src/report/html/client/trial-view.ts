import type { TrialEvent } from "../../../core/event.js";
import { dollars, grouped, score3, seconds } from "../../numbers.js";
import type { RunPage, TrialRow } from "../page-data.js";
import { decodeTrajectory } from "./decode.js";
import { h, plainTable } from "./dom.js";
import { eventList } from "./event-list.js";
import { goldView } from "./gold-view.js";
import { formatRoute, type Route } from "./route.js";
import { phrase, t } from "./strings.js";

/** Routes to the trials before and after one, in the order of the task table, null at the ends; and to both runs' trials side by side. */
export interface Neighbours {
  readonly previous: Route | null;
  readonly next: Route | null;
  readonly beside: Route | null;
}

/** The trajectory of one trial, unpacked now. */
export async function trialView(
  page: RunPage,
  trial: TrialRow,
  route: Route,
  { previous, next, beside }: Neighbours,
): Promise<HTMLElement> {
  const trajectory = await decodeTrajectory(route.run, page.trials.indexOf(trial));
  const question = questionOf(trajectory?.events ?? []);
  const step = (target: Route | null, name: string) =>
    target === null ? null : h("a", { href: formatRoute(target) }, name);
  return h(
    "section",
    { class: "trial", "aria-labelledby": "trial" },
    h(
      "nav",
      { class: "steps", "aria-label": t("trial") },
      h("a", { href: formatRoute({ ...route, trial: null }) }, `← ${t("back")}`),
      step(previous, t("previous")),
      step(next, t("next")),
      step(beside, t("side_by_side")),
    ),
    h("h2", { id: "trial" }, `${trial.task_id} #${trial.k}`, trial.arm === "main" ? "" : ` @${trial.arm}`),
    question === null ? null : h("blockquote", {}, question),
    facts(trial),
    timingBar(trial),
    usageTable(trial),
    trajectory?.gold ? goldView(trajectory.gold) : null,
    trajectory === null ? h("p", { class: "alert" }, t("no_events")) : eventList(trajectory.events, hrefOf(route)),
  );
}

/** Writes links to the events of a route's trial. */
export function hrefOf(route: Route): (seq: number) => string {
  return (seq) => formatRoute({ ...route, trial: route.trial === null ? null : { ...route.trial, seq } });
}

export function questionOf([first]: readonly TrialEvent[]): string | null {
  return first?.type === "trial-started" ? first.question : null;
}

function facts(trial: TrialRow): HTMLElement {
  const rows: readonly (readonly [string, string])[] = [
    [t("outcome"), phrase(trial.outcome)],
    [t("status"), trial.status === null ? t("unscored") : phrase(trial.status)],
    ...Object.entries(trial.scores).map(([scorer, score]) => [scorer, score3(score)] as const),
    [t("steps"), String(trial.steps)],
    [t("path"), phrase(trial.path)],
    ...(trial.validation === null ? [] : [[t("validation"), validationWords(trial.validation)] as const]),
    [t("cost"), trial.cost_usd === null ? t("unknown") : dollars(trial.cost_usd)],
  ];
  return h(
    "dl",
    { class: "facts" },
    rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

function validationWords({ process, answer }: NonNullable<TrialRow["validation"]>): string {
  return `${phrase("process")} ${phrase(process)}, ${phrase("answer")} ${phrase(answer)}`;
}

function timingBar({ wall_ms, model_ms, tool_ms }: TrialRow): HTMLElement {
  const parts = [
    { name: t("model"), ms: model_ms, kind: "model" },
    { name: t("tools"), ms: tool_ms, kind: "tools" },
    { name: t("other"), ms: Math.max(0, wall_ms - model_ms - tool_ms), kind: "other" },
  ];
  const bar = h("div", { class: "timing", "aria-hidden": "true" });
  for (const { ms, kind } of parts) {
    const piece = h("span", { class: kind });
    piece.style.setProperty("flex-grow", String(ms));
    bar.append(piece);
  }
  return h(
    "div",
    {},
    h("h3", {}, t("where_time")),
    bar,
    h(
      "p",
      { class: "legend" },
      parts.map(({ name, ms, kind }) => [
        h("span", { class: `key ${kind}`, "aria-hidden": "true" }),
        `${name} ${seconds(ms / 1000)} s `,
      ]),
    ),
  );
}

function usageTable({ usage }: TrialRow): HTMLElement | null {
  if (usage.length === 0) return null;
  const count = (value: number | null) => (value === null ? "–" : grouped(value));
  return plainTable(
    t("tokens"),
    [t("purpose"), t("model"), t("calls"), `${t("input")} (${t("tokens")})`, t("cached"), t("output")],
    usage.map((row) => [
      phrase(row.purpose),
      row.model,
      count(row.calls),
      count(row.input_tokens),
      count(row.cached_tokens),
      count(row.output_tokens),
    ]),
  );
}
