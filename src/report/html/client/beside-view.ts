import { dollars, grouped, score3, seconds } from "../../numbers.js";
import type { PageData, Trajectory, TrialRow } from "../page-data.js";
import { counterpart } from "./counterpart.js";
import { decodeTrajectory } from "./decode.js";
import { type Child, h, plainTable } from "./dom.js";
import { eventList } from "./event-list.js";
import { type FirstDifference, firstDifference } from "./first-difference.js";
import { formatRoute, type Route } from "./route.js";
import { phrase, t } from "./strings.js";
import { hrefOf, type Neighbours, questionOf } from "./trial-view.js";

/** One side: its run, its trial and what happened. */
interface Side {
  readonly name: string;
  readonly row: TrialRow;
  readonly route: Route;
  readonly trajectory: Trajectory | null;
}

/** A trial and the same task and repeat of another run, side by side, from where they part. */
export async function besideView(
  data: PageData,
  row: TrialRow,
  route: Route,
  { previous, next }: Pick<Neighbours, "previous" | "next">,
): Promise<HTMLElement> {
  const other = counterpart(data, route, row);
  const sides = await Promise.all(
    [{ row, run: route.run }, ...(other === null ? [] : [other])].map((one) => sideOf(data, one.row, one.run, route)),
  );
  const [left, right] = sides;
  const link = (target: Route | null, name: string) =>
    target === null ? null : h("a", { href: formatRoute(target) }, name);
  const difference =
    left?.trajectory && right?.trajectory ? firstDifference(left.trajectory.events, right.trajectory.events) : null;
  const comparable = left?.trajectory != null && right?.trajectory != null;
  return h(
    "section",
    { class: "trial", "aria-labelledby": "trial" },
    h(
      "nav",
      { class: "steps", "aria-label": t("trial") },
      h("a", { href: formatRoute({ ...route, trial: null, beside: null }) }, `← ${t("back")}`),
      link(previous, t("previous")),
      link(next, t("next")),
    ),
    h("h2", { id: "trial" }, `${row.task_id} #${row.k}: ${t("side_by_side")}`),
    question(left),
    right === undefined ? h("p", { class: "alert" }, t("no_counterpart")) : factsTable(sides),
    comparable ? differenceLine(difference, sides) : null,
    h(
      "div",
      { class: "beside" },
      sides.map((side, position) => sideView(side, position === 0 ? "left" : "right", difference)),
    ),
  );
}

async function sideOf(data: PageData, row: TrialRow, run: number, route: Route): Promise<Side> {
  const page = data.runs[run];
  const first = page?.summary.arms[0]?.arm;
  return {
    name: `${page?.summary.run_id ?? ""}${row.arm === "main" ? "" : ` · ${row.arm}`}`,
    row,
    route: { ...route, run, arm: row.arm === first ? null : row.arm, beside: null },
    trajectory: page === undefined ? null : await decodeTrajectory(run, page.trials.indexOf(row)),
  };
}

function question(side: Side | undefined): HTMLElement | null {
  const text = questionOf(side?.trajectory?.events ?? []);
  return text === null ? null : h("blockquote", {}, text);
}

function factsTable(sides: readonly Side[]): HTMLElement {
  const rows: readonly (readonly [string, (row: TrialRow) => Child])[] = [
    [t("outcome"), (row) => phrase(row.outcome)],
    [t("status"), (row) => (row.status === null ? t("unscored") : phrase(row.status))],
    [t("score"), (row) => score3(row.score)],
    [t("steps"), (row) => String(row.steps)],
    [t("seconds"), (row) => seconds(row.wall_ms / 1000)],
    [t("tokens"), (row) => (row.tokens === null ? t("unknown") : grouped(row.tokens))],
    [t("cost"), (row) => (row.cost_usd === null ? t("unknown") : dollars(row.cost_usd))],
  ];
  return plainTable(
    t("side_by_side"),
    ["", ...sides.map(({ name }) => name)],
    rows.map(([name, cell]) => [name, ...sides.map(({ row }) => cell(row))]),
  );
}

function differenceLine(difference: FirstDifference | null, sides: readonly Side[]): HTMLElement {
  if (difference === null) return h("p", {}, t("same_calls"));
  const { kind, same } = difference;
  const links = (["left", "right"] as const).map((side, position): Child => {
    const seq = difference[side];
    const place = seq === null ? t("nothing_more") : jump(`${side}${seq}`, `#${seq}`);
    return [position === 0 ? " " : ", ", `${sides[position]?.name ?? ""} `, place];
  });
  return h(
    "p",
    {},
    h("strong", {}, `${t("first_difference")}:`),
    links,
    ` (${kind === "returns" ? t("same_calls_other_returns") : `${t("until_there")}: ${same}`})`,
  );
}

/** A link within this view: the address after `#` says which view it is, and stays. */
function jump(id: string, text: string): HTMLElement {
  const go = (event: Event) => {
    event.preventDefault();
    const target = document.getElementById(id);
    target?.focus();
    target?.scrollIntoView({ block: "start" });
  };
  return h("a", { href: location.hash, onclick: go }, text);
}

function sideView({ name, row, route, trajectory }: Side, side: "left" | "right", difference: FirstDifference | null) {
  const parting = difference?.[side] ?? null;
  const list =
    trajectory === null
      ? h("p", { class: "alert" }, t("no_events"))
      : eventList(trajectory.events, hrefOf(route), {
          elementId: (seq) => `${side}${seq}`,
          isOpen: ({ seq }) => seq === parting,
        });
  if (parting !== null) list.querySelector(`#${side}${parting}`)?.classList.add("target");
  const single = { ...route, trial: { task_id: row.task_id, k: row.k, seq: null } };
  return h("div", {}, h("h3", {}, h("a", { href: formatRoute(single) }, name)), list);
}
