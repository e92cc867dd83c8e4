/// <reference types="vite/client" />
import "./client.css";
import type { PageData, RunPage, TrialRow } from "../page-data.js";
import { besideView } from "./beside-view.js";
import { decodePage } from "./decode.js";
import { diffView } from "./diff-view.js";
import { h } from "./dom.js";
import { type Keys, listen, stepEvents } from "./keyboard.js";
import { armsTable, overview } from "./overview.js";
import { formatRoute, parseRoute, type Route } from "./route.js";
import { currentLanguage, setLanguage, t } from "./strings.js";
import { taskTable } from "./task-table.js";
import { type Neighbours, trialView } from "./trial-view.js";

/** Empty until it is unpacked. */
let data: PageData = { version: "", runs: [], comparison: null };
const app = document.getElementById("app") ?? document.body;
/** Counts drawings, so that a slow one never replaces a newer one. */
let drawing = 0;
/** What is on screen but for the event that a link points to: a link within the same trial only scrolls. */
let shown = "";

void start();

async function start(): Promise<void> {
  data = await decodePage();
  addEventListener("hashchange", () => void draw());
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  listen(() => keysOf(parseRoute(location.hash)));
  await draw();
}

async function draw(): Promise<void> {
  const route = parseRoute(location.hash);
  const place = formatRoute({ ...route, trial: route.trial === null ? null : { ...route.trial, seq: null } });
  if (place !== shown) {
    const own = ++drawing;
    const content = await contentOf(data, route);
    if (own !== drawing) return;
    shown = place;
    document.documentElement.lang = currentLanguage();
    document.title = titleOf(data, route);
    app.replaceChildren(header(data), h("main", { id: "main", tabindex: -1 }, content), footer(data));
    if (route.trial?.seq === null || route.trial === null) scrollTo(0, 0);
  }
  const target = document.getElementById(`e${route.trial?.seq ?? ""}`);
  if (target === null) return;
  for (const details of target.querySelectorAll("details.event")) details.setAttribute("open", "");
  for (const other of document.querySelectorAll(".target")) other.classList.remove("target");
  target.classList.add("target");
  target.focus();
  target.scrollIntoView({ block: "start" });
}

function redraw(): void {
  shown = "";
  void draw();
}

async function contentOf(whole: PageData, route: Route): Promise<HTMLElement> {
  const { runs, comparison } = whole;
  const page = runs[route.run];
  const arm = page?.summary.arms.find((one) => route.arm === null || one.arm === route.arm);
  if (page === undefined || arm === undefined) return h("p", { class: "alert" }, t("no_trial"));
  if (route.trial !== null) {
    const trial = page.trials.find((one) => isAt(one, route, arm.arm));
    if (trial === undefined) return h("p", { class: "alert" }, t("no_trial"));
    const around = neighbours(page, trial, route);
    return route.beside === null
      ? trialView(page, trial, route, around)
      : besideView(whole, trial, { ...route, beside: route.beside }, around);
  }
  const isFirst = page.summary.arms[0]?.arm === arm.arm;
  return h(
    "div",
    {},
    ...parts([
      comparison === null ? null : diffView(whole, comparison),
      armsTable(runs),
      heading(page, arm.arm),
      overview(page, arm),
      taskTable(page, route.run, arm, isFirst),
    ]),
  );
}

const parts = (elements: readonly (HTMLElement | null)[]) => elements.filter((element) => element !== null);

function heading({ summary }: RunPage, arm: string): HTMLElement | null {
  const several = data.runs.length > 1 || summary.arms.length > 1;
  return several ? h("h2", {}, `${summary.run_id}${summary.arms.length > 1 ? ` · ${arm}` : ""}`) : null;
}

function isAt(trial: TrialRow, { trial: wanted }: Route, arm: string): boolean {
  return wanted !== null && trial.task_id === wanted.task_id && trial.k === wanted.k && trial.arm === arm;
}

function neighbours(page: RunPage, trial: TrialRow, route: Route): Neighbours {
  const ended = new Set(page.trials.flatMap(({ arm, task_id, k }) => (arm === trial.arm ? [`${task_id}#${k}`] : [])));
  const order = page.summary.arms
    .filter(({ arm }) => arm === trial.arm)
    .flatMap(({ tasks }) => tasks.flatMap(({ task_id, marks }) => marks.map((_, index) => ({ task_id, k: index + 1 }))))
    .filter(({ task_id, k }) => ended.has(`${task_id}#${k}`));
  const at = order.findIndex(({ task_id, k }) => task_id === trial.task_id && k === trial.k);
  const routeTo = (position: number): Route | null => {
    const found = order[position];
    return found === undefined ? null : { ...route, trial: { ...found, seq: null } };
  };
  const beside = data.runs.length === 2 && route.run < 2 ? { ...route, beside: 1 - route.run } : null;
  return { previous: routeTo(at - 1), next: routeTo(at + 1), beside };
}

function header({ runs }: PageData): HTMLElement {
  const theme = () => {
    const root = document.documentElement;
    const dark =
      root.dataset.theme === undefined
        ? matchMedia("(prefers-color-scheme: dark)").matches
        : root.dataset.theme === "dark";
    root.dataset.theme = dark ? "light" : "dark";
  };
  const language = () => {
    setLanguage(currentLanguage() === "zh" ? "en" : "zh");
    redraw();
  };
  const skip = (event: Event) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  return h(
    "header",
    {},
    h("a", { class: "skip", href: "#main", onclick: skip }, t("skip")),
    h(
      "h1",
      {},
      h("a", { href: "#" }, `daw-eval ${t("report")}`),
      " ",
      h("span", { class: "runs" }, runs.map(({ summary }) => summary.run_id).join(" · ")),
    ),
    h(
      "div",
      { class: "controls" },
      h("button", { type: "button", onclick: theme }, t("theme")),
      h("button", { type: "button", onclick: language }, t("language")),
    ),
  );
}

function footer({ version }: PageData): HTMLElement {
  return h("footer", {}, h("p", {}, t("keys")), h("p", {}, `daw-eval ${version}`));
}

function titleOf({ runs }: PageData, { trial, run }: Route): string {
  const name = runs[run]?.summary.run_id ?? "";
  return trial === null ? `${name} · daw-eval` : `${trial.task_id} #${trial.k} · ${name}`;
}

function keysOf(route: Route): Keys {
  const link = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click();
  const general: Keys = { o: link(".steps a"), "/": () => document.getElementById("filter")?.focus() };
  if (route.trial === null) return general;
  const page = data.runs[route.run];
  const arm = route.arm ?? page?.summary.arms[0]?.arm ?? "";
  const trial = page?.trials.find((one) => isAt(one, route, arm));
  if (page === undefined || trial === undefined) return general;
  const { previous, next } = neighbours(page, trial, route);
  const go = (target: Route | null) => () => {
    if (target !== null) location.hash = formatRoute(target);
  };
  return { ...general, j: () => stepEvents(1), k: () => stepEvents(-1), n: go(next), p: go(previous) };
}
