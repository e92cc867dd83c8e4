import type { CandidateFile, ModelResponded, StepReported, TrialEvent } from "../../../core/event.js";
import { isPlanEvent } from "../../../core/event-plan.js";
import type { AnswerValidated, ProcessValidated, ValidationSkipped } from "../../../core/event-validation.js";
import { grouped } from "../../numbers.js";
import { outcomeSentence } from "../../outcome-sentence.js";
import { type Child, h, scrollable } from "./dom.js";
import { acts, type Evidence, linked } from "./evidence-links.js";
import { planBody } from "./plan-event-view.js";
import { planFacts } from "./plan-facts.js";
import { eventTitle, phrase, t } from "./strings.js";
import { contentView, rowsTable, textBlock, valueView } from "./value-view.js";

/** What the view of one event knows of its trial. */
export interface EventPlace {
  readonly evidence: Evidence;
  readonly href: (seq: number) => string;
  /** The agent's step of the event, from 1; 0 before the first. */
  readonly step: number;
  /** The slowest event's milliseconds. */
  readonly slowest: number;
  /** Of the element that a link to the event leads to; one trial's differ from those of another beside it. */
  readonly elementId: (seq: number) => string;
  /** Whether it starts opened. */
  readonly isOpen: (event: TrialEvent) => boolean;
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
    gistView(event),
  );
  const details = h(
    "details",
    { class: `event ${event.type}` },
    line,
    h("div", { class: "body" }, bodyOf(event, place)),
  );
  details.open = place.isOpen(event);
  const link = h(
    "a",
    { class: "anchor", href: place.href(event.seq), "aria-label": `${t("link")} #${event.seq}` },
    "¶",
  );
  return h("li", { id: place.elementId(event.seq), tabindex: -1 }, details, link);
}

/** Characters of a gist. */
const GIST = 110;

/** What a closed event was about: its arguments or words, short. Gone where the event is open and shows them whole. */
function gistView(event: TrialEvent): HTMLElement | null {
  const gist = gistOf(event);
  if (gist === "") return null;
  return h("code", { class: "gist" }, gist.length > GIST ? `${gist.slice(0, GIST)}…` : gist);
}

function gistOf(event: TrialEvent): string {
  switch (event.type) {
    case "tool-returned":
      return argumentGist(event.args);
    case "candidate-submitted":
      return event.candidate.columns.join(", ");
    case "model-responded":
      return [...event.response.tool_calls.map(({ name }) => name), event.response.content ?? ""].join(" ").trim();
    case "trial-started":
      return event.question;
    default:
      return "";
  }
}

function argumentGist(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  return Object.values(args)
    .flat()
    .filter((value) => typeof value === "string")
    .join("; ");
}

function durationBar(ms: number, slowest: number): HTMLElement {
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(slowest === 0 ? 0 : ms / slowest));
  return h("span", { class: "duration" }, bar, `${grouped(Math.round(ms))} ms`);
}

function titleOf(event: TrialEvent, step: number): string {
  switch (event.type) {
    case "model-responded":
      if (event.purpose === "agent") return `${t("step")} ${step}`;
      return acts(event.purpose) ? `${phrase(event.purpose)}: ${t("step")} ${step}` : phrase(event.purpose);
    case "model-failed":
      return `${phrase(event.purpose)}: ${phrase(event.failure.class)}`;
    case "tool-returned":
      return event.tool;
    case "step-reported":
      return event.calls.map(({ tool }) => tool).join(" + ") || eventTitle(event.type);
    default:
      return eventTitle(event.type);
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
    return h("span", { class: `mark ${good ? "good" : "bad"}` }, `${good ? "✓" : "✗"} ${phrase(event.verdict)}`);
  }
  if (event.type === "step-verified") {
    const good = event.verdict?.passed === true;
    return h("span", { class: `mark ${good ? "good" : "bad"}` }, good ? "✓" : "✗");
  }
  if (event.type === "model-failed" || event.type === "limit-reached")
    return h("span", { class: "mark bad" }, `✗ ${t("failed")}`);
  return null;
}

function factsOf(event: TrialEvent): string {
  if (isPlanEvent(event)) return planFacts(event).map(phrase).join(" · ");
  switch (event.type) {
    case "model-responded": {
      const { usage, model, cost_usd } = event.response;
      const cost = cost_usd === null || cost_usd === 0 ? "" : ` · $${cost_usd.toPrecision(2)}`;
      return `${model} · ${usage.input_tokens ?? "?"} → ${usage.output_tokens ?? "?"} ${t("tokens")}${cost}`;
    }
    case "extraction-requested":
      return `${event.path} · ${event.passage + 1}/${event.passages}`;
    case "candidate-submitted":
    case "answer-delivered":
      return `${event.candidate.rows} ${t("rows")} × ${event.candidate.columns.length} ${t("columns")}`;
    case "process-validated":
      return [event.trigger, event.mode, event.by].map(phrase).join(" · ");
    case "answer-validated":
      return [event.mode, event.by].map(phrase).join(" · ");
    case "validation-skipped":
      return [event.validator, event.reason].map(phrase).join(" · ");
    case "data-queried":
      return `${phrase(event.validator)} · ${phrase(event.why)}`;
    case "trial-finished":
      return phrase(outcomeSentence(event.outcome));
    default:
      return "";
  }
}

function bodyOf(event: TrialEvent, place: EventPlace): Child {
  if (isPlanEvent(event)) return planBody(event);
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
    case "answer-delivered":
      return [
        candidateTable(event.candidate),
        event.conclusion === null ? null : part(t("conclusion"), textBlock(event.conclusion)),
      ];
    case "command-started":
      return valueView({ argv: event.argv, sandbox: event.sandbox, network: event.network, env: event.env });
    case "step-reported":
      return reportedBody(event);
    case "command-returned":
      return valueView({
        failure: event.failure,
        prediction: event.prediction,
        notes: event.notes,
        stdout: event.stdout,
        stderr: event.stderr,
      });
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
      return `${phrase(event.by)}: ${event.candidate}`;
    default:
      return fieldsOf(event);
  }
}

/** All that an event says, for those that have no view of their own, also of a kind that this page does not know. */
function fieldsOf(event: TrialEvent): Child {
  const { seq: _seq, at: _at, type: _type, waited_ms: _waited, ...fields } = event;
  return Object.keys(fields).length === 0 ? null : valueView(fields);
}

function reportedBody({ content, calls }: StepReported): Child {
  return [
    content === null || content.trim() === "" ? null : part(t("said"), textBlock(content)),
    calls.map(({ tool, args, ok, content: returned }) => [
      part(`${tool}: ${t("arguments")}`, valueView(args)),
      ok === null ? null : part(t("returned"), scrollable(t("returned"), contentView(returned), "tall")),
    ]),
  ];
}

function responseBody({ response }: ModelResponded): Child {
  const { content, reasoning, tool_calls } = response;
  const calls = tool_calls.map(({ name, arguments: text }) =>
    h("details", {}, h("summary", {}, h("code", {}, name)), contentView(text)),
  );
  return [
    content === null || content.trim() === "" ? null : part(t("said"), contentView(content)),
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
      h("strong", {}, `${phrase(level)} ${rule}`),
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
    error === null ? null : part(t("why_validator"), textBlock(error)),
    asked.issues.length === 0 ? null : part(t("issues"), list(asked.issues)),
    asked.required_next_actions.length === 0 ? null : part(t("required"), list(asked.required_next_actions)),
    ledger === null ? null : h("details", {}, h("summary", {}, t("ledger")), valueView(ledger)),
  ];
}

function part(title: string, content: Child): HTMLElement {
  return h("div", { class: "part" }, h("h4", {}, title), content);
}
