import { type Child, h } from "./dom.js";

const TOKENS =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>\b[A-Za-z_]+\b)/g;

const KEYWORDS = new Set(
  "select from where group by having order limit offset join left right full inner outer cross on using as and or not in is null like ilike between case when then else end distinct union all except intersect with recursive over partition rows range exists cast asc desc filter qualify sum count avg min max date interval true false".split(
    " ",
  ),
);

/** SQL with its words, texts, numbers and comments marked. */
export function sqlBlock(sql: string): HTMLElement {
  const parts: Child[] = [];
  let end = 0;
  for (const match of sql.matchAll(TOKENS)) {
    parts.push(sql.slice(end, match.index));
    const kind = kindOf(match);
    parts.push(kind === null ? match[0] : h("span", { class: `sql-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(sql.slice(end));
  return h("pre", { class: "sql", tabindex: 0 }, h("code", {}, parts));
}

function kindOf({ 0: token, groups = {} }: RegExpMatchArray): string | null {
  const [kind] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
  if (kind !== "word") return kind ?? null;
  return KEYWORDS.has(token.toLowerCase()) ? "keyword" : null;
}
