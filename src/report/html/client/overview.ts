import type { ArmSummary } from "../../arm-summary.js";
import { dollars, grouped, half, percent, score3, seconds } from "../../numbers.js";
import type { PassGate } from "../../pass-gate.js";
import { cautions, originParts, reservations } from "../../sentences.js";
import { splitTables } from "../../split-tables.js";

import type { RunPage } from "../page-data.js";
import { armCharts, rates } from "./charts.js";
import { checksView } from "./checks-view.js";
import { type Child, h, plainTable, sentenceList } from "./dom.js";
import { formatRoute } from "./route.js";
import { phrase, t } from "./strings.js";

/** The numbers and charts of one arm of one run. */
export function overview(page: RunPage, arm: ArmSummary): HTMLElement {
  const { summary } = page;
  const trials = page.trials.filter((trial) => trial.arm === arm.arm);
  return h(
    "section",
    { "aria-labelledby": "overview" },
    h("h2", { id: "overview" }, t("overview")),
    h(
      "p",
      { class: "faint" },
      [
        summary.suite,
        summary.model,
        summary.strategy,
        `seed ${summary.seed}`,
        phrase(summary.status),
        ...originParts(summary).map(phrase),
      ].join(" · "),
    ),
    reservations(summary).map((sentence) => h("p", { class: "alert" }, phrase(sentence))),
    summary.gate === null ? null : gateLine(summary.gate),
    numbers(arm),
    sentenceList(cautions(arm)),
    armCharts(arm, trials),
    splits(arm),
    checksView(summary, arm),
  );
}

/** By tag and by path of answering; by difficulty there is a chart. */
function splits(arm: ArmSummary): Child {
  return splitTables({ ...arm, by_difficulty: [] }).map(({ columns, rows }) => {
    const [first, ...others] = columns.map(({ header }) => header);
    const isPath = first === "by path";
    const name = isPath ? t("by_path") : t("by_tag");
    return [
      h("h3", {}, name),
      plainTable(
        name,
        ["", ...others.map(phrase)],
        rows.map(([group = "", ...cells]) => [isPath ? phrase(group) : group, ...cells]),
      ),
    ];
  });
}

function gateLine({ failed, reason }: PassGate): HTMLElement {
  const words = failed ? t("gate_failed") : t("gate_passed");
  return h(
    "p",
    { class: failed ? "alert" : "note" },
    h("strong", {}, `${failed ? "✗" : "✓"} ${words}: `),
    phrase(reason),
  );
}

function numbers(arm: ArmSummary): HTMLElement {
  const show = arm.metric === "score" ? score3 : percent;
  const power = String(arm.repeats);
  return h(
    "dl",
    { class: "numbers" },
    number(
      arm.metric === "score" ? t("mean_score") : t("pass_rate"),
      show(arm.mean),
      `${t("interval")} ${intervalOf(arm)}`,
    ),
    number(
      `pass^${power}`,
      percent(arm.pass_hat_k[power] ?? null),
      `pass@${power} ${percent(arm.pass_at_k[power] ?? null)}`,
    ),
    number(t("classes"), `${arm.solid} · ${arm.flaky} · ${arm.broken}`, otherClasses(arm)),
    number(t("mean_score"), score3(arm.mean_score), arm.scorers[0]?.scorer ?? ""),
    number(
      t("trials"),
      grouped(arm.valid_trials),
      `${t("planned")} ${grouped(arm.planned_trials)}; ${t("infra")} ${arm.infra}`,
    ),
    number(t("cost"), arm.cost_usd === null ? t("unknown") : dollars(arm.cost_usd), ""),
    number(t("tokens"), tokens(arm), ""),
    number(t("time"), `${seconds(arm.median_seconds)} s`, `${half(arm.median_steps)} ${t("steps_of_trial")}`),
  );
}

function number(name: string, value: string, more: string): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "big" }, value), h("dd", { class: "faint" }, more));
}

function otherClasses(arm: ArmSummary): string {
  const others = [
    [t("incomplete"), arm.incomplete],
    [t("unscored"), arm.unscored],
  ] as const;
  return others.flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : [])).join(" · ");
}

function intervalOf({ ci95, metric }: ArmSummary): string {
  if (ci95 === null) return "–";
  const show = metric === "score" ? score3 : percent;
  return `${show(ci95[0])} – ${show(ci95[1])}`;
}

function tokens({ usage: { input_tokens, output_tokens } }: ArmSummary): string {
  return input_tokens === null && output_tokens === null
    ? t("unknown")
    : grouped((input_tokens ?? 0) + (output_tokens ?? 0));
}

/** Every arm of every run beside each other, each with a link to its numbers; null where there is only one. */
export function armsTable(runs: readonly RunPage[]): HTMLElement | null {
  const all = runs.flatMap(({ summary }, run) =>
    summary.arms.map((arm, position) => ({ summary, run, arm, position })),
  );
  const [first] = all;
  if (first === undefined || all.length < 2) return null;
  const nameOf = ({ summary, arm }: (typeof all)[number]) =>
    [...(runs.length > 1 ? [summary.run_id] : []), ...(summary.arms.length > 1 ? [arm.arm] : [])].join(" · ");
  const rows = all.map((one): Child[] => [
    h(
      "a",
      { href: formatRoute({ run: one.run, arm: one.position === 0 ? null : one.arm.arm, trial: null, beside: null }) },
      nameOf(one),
    ),
    percent(one.arm.mean),
    intervalOf(one.arm),
    percent(one.arm.pass_hat_k[String(one.arm.repeats)] ?? null),
    `${one.arm.solid} · ${one.arm.flaky} · ${one.arm.broken}`,
    one.arm.cost_usd === null ? t("unknown") : dollars(one.arm.cost_usd),
    tokens(one.arm),
    seconds(one.arm.median_seconds),
  ]);
  const headers = [
    t("arm"),
    t("pass_rate"),
    t("interval"),
    `pass^${first.arm.repeats}`,
    t("classes"),
    t("cost"),
    t("tokens"),
    t("seconds"),
  ];
  return h(
    "section",
    { "aria-labelledby": "arms" },
    h("h2", { id: "arms" }, t("arms")),
    plainTable(t("arms"), headers, rows),
    h(
      "div",
      { class: "charts alone" },
      rates(
        t("by_arm"),
        all.map((one) => ({ ...one.arm, name: nameOf(one) })),
        first.arm,
      ),
    ),
  );
}
