import type { TrialEvent } from "../../../core/event.js";
import { h } from "./dom.js";
import { type EventPlace, eventView } from "./event-view.js";
import { acts, evidenceOf } from "./evidence-links.js";
import { t } from "./strings.js";

/** Kinds that are long and seldom looked for. */
const CLOSED: ReadonlySet<string> = new Set(["trial-started", "data-queried"]);

const OPEN_MOST: Pick<EventPlace, "elementId" | "isOpen"> = {
  elementId: (seq) => `e${seq}`,
  isOpen: ({ type }) => !CLOSED.has(type),
};

/** The events of one trial in their order; `href` writes a link to one of them. */
export function eventList(
  events: readonly TrialEvent[],
  href: (seq: number) => string,
  { elementId, isOpen } = OPEN_MOST,
): HTMLElement {
  const evidence = evidenceOf(events);
  const slowest = events.reduce((most, event) => Math.max(most, "ms" in event ? event.ms : 0), 0);
  let step = 0;
  const items = events.map((event) => {
    if (event.type === "model-responded" && acts(event.purpose)) step++;
    return eventView(event, { evidence, href, step, slowest, elementId, isOpen });
  });
  const list = h("ol", { class: "events" }, items);
  const openAll = (open: boolean) => () => {
    for (const details of list.querySelectorAll("details")) details.open = open;
  };
  return h(
    "div",
    {},
    h(
      "p",
      { class: "open-close" },
      h("button", { type: "button", onclick: openAll(true) }, t("open_all")),
      " ",
      h("button", { type: "button", onclick: openAll(false) }, t("close_all")),
    ),
    list,
  );
}
