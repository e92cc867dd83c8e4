import type { CandidateFile, ModelResponded, TrialEvent } from "../../../core/event.js";
import type { AnswerValidated, ProcessValidated, ValidationSkipped } from "../../../core/event-validation.js";
import { grouped } from "../../numbers.js";
import { type Child, h, scrollable } from "./dom.js";
import { type Evidence, linked } from "./evidence-links.js";
import { t } from "./strings.js";
import { contentView, rowsTable, textBlock, valueView } from "./value-view.js";

/** What the view of one event knows of its trial. */
export interface EventPlace {
  readonly evidence: Evidence;
  readonly href: (seq: number) => string;
  /** The agent's step of the event, from 1; 0 before the first. */
  readonly step: number;
  /** The slowest event's milliseconds. */
  readonly slowest: number;
}

/** One event: a line that says what it was, and all of it beneath. */
export function eventView(event: TrialEvent, place: EventPlace): HTMLElement {
  const ms = "ms" in event ? event.ms : null;
  const line = h(
    "summary",
    {},
    h("span", { class: "seq" }, `#${event.seq}`),
    h("span", { class: "what" }, h("strong", {}, titleOf(event, place.step)), " ", markOf(event)),
    h("span", { class: "faint" }, factsOf(event)),
    ms === null ? null : durationBar(ms, place.slowest),
  );
  const details = h(
    "details",
    { class: `event ${event.type}` },
    line,
    h("div", { class: "body" }, bodyOf(event, place)),
  );
  details.open = event.type !== "trial-started" && event.type !== "data-queried";
  const link = h(
    "a",
    { class: "anchor", href: place.href(event.seq), "aria-label": `${t("link")} #${event.seq}` },
    "¶",
  );
  return h("li", { id: `e${event.seq}`, tabindex: -1 }, details, link);
}

function durationBar(ms: number, slowest: number): HTMLElement {
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(slowest === 0 ? 0 : ms / slowest));
  return h("span", { class: "duration" }, bar, `${grouped(Math.round(ms))} ms`);
}

function titleOf(event: TrialEvent, step: number): string {
  switch (event.type) {
    case "model-responded":
      return event.purpose === "agent" ? `${t("step")} ${step}` : event.purpose;
    case "model-failed":
      return `${event.purpose}: ${event.failure.class}`;
    case "tool-returned":
      return event.tool;
    case "candidate-submitted":
      return t("candidate");
    default:
      return event.type;
  }
}

function markOf(event: TrialEvent): Child {
  if (event.type === "tool-returned") {
    return [
      event.ok ? null : h("span", { class: "mark bad" }, `✗ ${event.error ?? t("failed")}`),
      event.truncated ? h("span", { class: "mark warn" }, `✂ ${t("truncated")}`) : null,
    ];
  }
  if (event.type === "process-validated" || event.type === "answer-validated") {
    const good = event.verdict === "passed";
    return h("span", { class: `mark ${good ? "good" : "bad"}` }, `${good ? "✓" : "✗"} ${event.verdict}`);
  }
  if (event.type === "model-failed" || event.type === "limit-reached")
    return h("span", { class: "mark bad" }, `✗ ${t("failed")}`);
  return null;
}

function factsOf(event: TrialEvent): string {
  switch (event.type) {
    case "model-responded": {
      const { usage, model, cost_usd } = event.response;
      const cost = cost_usd === null || cost_usd === 0 ? "" : ` · $${cost_usd.toPrecision(2)}`;
      return `${model} · ${usage.input_tokens ?? "?"} → ${usage.output_tokens ?? "?"} ${t("tokens")}${cost}`;
    }
    case "candidate-submitted":
      return `${event.candidate.rows} ${t("rows")} × ${event.candidate.columns.length} ${t("columns")}`;
    case "process-validated":
      return `${event.trigger} · ${event.mode} · ${event.by}`;
    case "answer-validated":
      return `${event.mode} · ${event.by}`;
    case "validation-skipped":
      return `${event.validator} · ${event.reason}`;
    case "data-queried":
      return `${event.validator} · ${event.why}`;
    default:
      return "";
  }
}

function bodyOf(event: TrialEvent, place: EventPlace): Child {
  switch (event.type) {
    case "trial-started":
      return [
        event.knowledge === null ? null : part(t("knowledge"), textBlock(event.knowledge)),
        part(t("catalog"), valueView(event.catalog)),
        part(t("tools"), event.tools.map(({ name }) => name).join(", ")),
      ];
    case "model-responded":
      return responseBody(event);
    case "model-failed":
      return textBlock(event.failure.message);
    case "tool-returned":
      return [
        part(t("arguments"), valueView(event.args)),
        part(t("returned"), scrollable(t("returned"), contentView(event.content), "tall")),
      ];
    case "candidate-submitted":
      return [
        part(t("source"), h("div", {}, h("p", {}, event.source.tool), valueView(event.source.args))),
        candidateTable(event.candidate),
        event.conclusion === null ? null : part(t("conclusion"), textBlock(event.conclusion)),
      ];
    case "data-queried":
      return [
        event.queries.map((query) => valueView(query, "sql")),
        part(t("returned"), scrollable(t("returned"), valueView(event.results), "tall")),
      ];
    case "process-validated":
    case "answer-validated":
    case "validation-skipped":
      return checkBody(event, place);
    case "trial-finished":
      return valueView({ outcome: event.outcome, prediction: event.prediction });
    case "repair-requested":
    case "answer-forced":
      return textBlock(event.message);
    case "limit-reached":
      return event.detail;
    case "candidate-cleared":
      return `${event.by}: ${event.candidate}`;
    case "trial-suspended":
      return event.why;
    case "trial-resumed":
      return null;
  }
}

function responseBody({ response }: ModelResponded): Child {
  const { content, reasoning, tool_calls } = response;
  const calls = tool_calls.map(({ name, arguments: text }) =>
    h("details", {}, h("summary", {}, h("code", {}, name)), contentView(text)),
  );
  return [
    content === null || content.trim() === "" ? null : part(t("said"), textBlock(content)),
    reasoning === null || reasoning.trim() === ""
      ? null
      : h("details", {}, h("summary", {}, t("reasoning")), textBlock(reasoning)),
    calls.length === 0 ? null : part(t("asked"), calls),
  ];
}

function candidateTable({ columns, preview, rows }: CandidateFile): HTMLElement {
  const more = rows - preview.length;
  return part(t("candidate"), [
    rowsTable(columns, preview),
    more > 0 ? h("p", { class: "faint" }, `+ ${more} ${t("rows")}`) : null,
  ]);
}

function checkBody(
  event: ProcessValidated | AnswerValidated | ValidationSkipped,
  { evidence, href }: EventPlace,
): Child {
  const findings = event.findings.map(({ rule, level, detail, evidence: ids }) =>
    h(
      "li",
      { class: `finding ${level}` },
      h("strong", {}, `${level} ${rule}`),
      ": ",
      linked(detail, evidence, href),
      ids.map((id) => [" ", h("span", { class: "evidence" }, `${t("evidence")} `, linked(id, evidence, href))]),
    ),
  );
  const list = (items: readonly string[]) =>
    h(
      "ul",
      {},
      items.map((item) => h("li", {}, linked(item, evidence, href))),
    );
  const asked = event.type === "validation-skipped" ? { issues: [], required_next_actions: [] } : event;
  const error = event.type === "validation-skipped" ? null : event.validator_error;
  const ledger = event.type === "process-validated" ? event.ledger : null;
  return [
    findings.length === 0 ? null : part(t("findings"), h("ul", {}, findings)),
    error === null ? null : textBlock(error),
    asked.issues.length === 0 ? null : part(t("issues"), list(asked.issues)),
    asked.required_next_actions.length === 0 ? null : part(t("required"), list(asked.required_next_actions)),
    ledger === null ? null : h("details", {}, h("summary", {}, t("ledger")), valueView(ledger)),
  ];
}

function part(title: string, content: Child): HTMLElement {
  return h("div", { class: "part" }, h("h4", {}, title), content);
}
