import { phrase } from "./strings.js";

type Attribute = string | number | boolean | null | ((event: Event) => void);
export type Child = Node | string | number | null | readonly Child[];

/**
 * Makes an element. Text becomes text nodes, never markup: there is no other way in which this page makes elements from data. A function under
 * `onclick` and the like listens; `true` is an empty attribute, `false` and null are none.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null) continue;
    if (typeof child === "string" || typeof child === "number") parent.append(String(child));
    else if (child instanceof Node) parent.append(child);
    else append(parent, child);
  }
}

/** Sentences of parts, each in the reader's language; null where there are none. */
export function sentenceList(sentences: readonly (readonly string[])[]): HTMLElement | null {
  if (sentences.length === 0) return null;
  return h(
    "ul",
    { class: "sentences" },
    sentences.map((parts) => h("li", {}, parts.map(phrase).join(" · "))),
  );
}

/** What scrolls by itself where it is too wide, also by keyboard. */
export function scrollable(label: string, child: Child, kind = "scroll"): HTMLElement {
  return h("div", { class: kind, tabindex: 0, role: "region", "aria-label": label }, child);
}

/** A number with what belongs to it, which no line break should part: `77.8 %`, `12 % (4–29)`. */
const NUMBER = /^[\d+−±(][\d.,:+−–%$() ]*$/;

/** A plain table of a header row and rows. */
export function plainTable(
  label: string,
  headers: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  return scrollable(
    label,
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          headers.map((header) => h("th", { scope: "col" }, header)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell) =>
              h("td", { class: typeof cell === "string" && NUMBER.test(cell) ? "number" : null }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}
