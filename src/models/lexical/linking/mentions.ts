import type { Term } from "../documents/glossary.js";
import { STOP_WORDS } from "../words/stop-words.js";
import type { Token } from "../words/tokens.js";
import type { ColumnLink, Range, SpanLinks } from "./column-links.js";
import type { TableLink } from "./table-links.js";
import type { ValueLink } from "./value-links.js";

/** A span of the question and all that it may name. */
export interface Mention extends Range {
  readonly columns: readonly ColumnLink[];
  readonly tables: readonly TableLink[];
  readonly values: readonly ValueLink[];
  readonly term: Term | null;
}

export interface LinkedSpans {
  readonly columns: readonly SpanLinks<ColumnLink>[];
  readonly tables: readonly SpanLinks<TableLink>[];
  readonly values: readonly SpanLinks<ValueLink>[];
  readonly terms: readonly (Range & { readonly term: Term; readonly score: number })[];
}

/** Words that say what to do with a field; they name a field only where it is called exactly that and written like a name. */
const OPERATORS = new Set(
  "number count total average mean sum percentage percent proportion ratio difference most least highest lowest many much list".split(
    " ",
  ),
);
/** Words that may well be fields, if one is called exactly that. */
const HALF_OPERATORS = new Set(["high", "low", "rate", "share"]);

/** The spans that together explain the question best; spans do not overlap. */
export function selectMentions(tokens: readonly Token[], spans: LinkedSpans): readonly Mention[] {
  const candidates = candidateMentions(tokens, spans);
  const bestUntil: { score: number; mentions: readonly Mention[] }[] = [{ score: 0, mentions: [] }];
  for (let end = 1; end <= tokens.length; end++) {
    let best = bestUntil[end - 1] ?? { score: 0, mentions: [] };
    for (const candidate of candidates) {
      if (candidate.mention.to !== end) continue;
      const before = bestUntil[candidate.mention.from];
      if (before === undefined) continue;
      const score = before.score + candidate.weight;
      if (score > best.score) best = { score, mentions: [...before.mentions, candidate.mention] };
    }
    bestUntil.push(best);
  }
  return bestUntil.at(-1)?.mentions ?? [];
}

function candidateMentions(
  tokens: readonly Token[],
  spans: LinkedSpans,
): readonly { mention: Mention; weight: number }[] {
  const ranges = new Map<string, Range>();
  for (const { from, to } of [...spans.columns, ...spans.tables, ...spans.values, ...spans.terms])
    ranges.set(`${from} ${to}`, { from, to });
  const at = <Span extends Range>(list: readonly Span[], range: Range) =>
    list.find((span) => span.from === range.from && span.to === range.to);
  return [...ranges.values()].flatMap((range) => {
    if (isCommand(tokens, range)) return [];
    const length = contentLength(tokens, range);
    const named = at(spans.columns, range)?.links ?? [];
    const columns = isOperator(tokens, range, top(named) >= 1) ? [] : named;
    const inner = spans.tables.filter(
      (span) => at(spans.terms, range) !== undefined && span.from >= range.from && span.to === range.to,
    );
    const tables = at(spans.tables, range)?.links ?? inner[0]?.links ?? [];
    const values = at(spans.values, range)?.links ?? [];
    const term = at(spans.terms, range) ?? null;
    const weight =
      length * Math.max(top(columns), top(tables) * 0.97, top(values) * 1.12, (term?.score ?? 0) * 1.15) - 0.02;
    if (weight <= 0) return [];
    return [{ mention: { from: range.from, to: range.to, columns, tables, values, term: term?.term ?? null }, weight }];
  });
}

/** `State the name`: what to do, at the beginning of a sentence. */
function isCommand(tokens: readonly Token[], { from, to }: Range): boolean {
  const [first, next, before] = [tokens[from], tokens[from + 1], tokens[from - 1]];
  const opens = before === undefined || /^[.?!;:]$/.test(before.text) || before.lower === "please";
  const commands = /^(state|name|list|show|count|find|identify|report|present|rank|order)$/.test(first?.lower ?? "");
  return (
    opens &&
    commands &&
    to - from === 1 &&
    /^(the|all|their|its|his|her|each|both|every|any|a|an)$/.test(next?.lower ?? "")
  );
}

const top = (links: readonly { readonly score: number }[]) => Math.max(0, ...links.map((link) => link.score));

function contentLength(tokens: readonly Token[], { from, to }: Range): number {
  const words = tokens.slice(from, to).filter((token) => token.kind !== "punctuation" && !STOP_WORDS.has(token.lower));
  return Math.max(1, words.length) ** 1.35;
}

function isOperator(tokens: readonly Token[], { from, to }: Range, exact: boolean): boolean {
  const [only] = tokens.slice(from, to);
  if (only === undefined || to - from > 1 || only.quote !== null) return false;
  const written = /^\p{Lu}/u.test(only.text) && from > 0;
  if (HALF_OPERATORS.has(only.stem) || HALF_OPERATORS.has(only.lower)) return !exact;
  return (OPERATORS.has(only.stem) || OPERATORS.has(only.lower)) && !(exact && written);
}
