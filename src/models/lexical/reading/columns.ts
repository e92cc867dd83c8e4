import type { Candidate } from "../choice.js";
import type { ColumnLink } from "../linking/column-links.js";
import type { Mention } from "../linking/mentions.js";
import { type Edge, isIdentifier, type SchemaColumn } from "../schema/schema.js";
import { type Ref, ref } from "../sql/plan.js";
import { labelColumns } from "./labels.js";
import { lowerAt, type Question, wordsOf } from "./question.js";

/** Which columns of a mention a reader can use, and which tables it would rather have. */
export interface Wanted {
  readonly suits?: (column: SchemaColumn) => boolean;
  readonly tables?: readonly string[];
  /** A pointer is wanted as it is, not as the name of what it points at. */
  readonly asStored?: boolean;
}

/** The column that a mention names, chosen among all that it may name; null if none suits. */
export function pickColumn(question: Question, mention: Mention, wanted: Wanted = {}): Ref | null {
  const links = mention.columns.filter((link) => wanted.suits?.(link.column) ?? true);
  const candidates = links.map(
    (link): Candidate<ColumnLink> => ({
      option: link,
      label: `${link.column.table}.${link.column.name}`,
      score: link.score + affinity(question, mention, link.column, wanted.tables ?? []),
    }),
  );
  const words = wordsOf(question, mention.from, mention.to);
  const link = question.chooser.choose(`column for "${words}"`, candidates);
  if (link === null) return null;
  return wanted.asStored === true
    ? ref({ table: link.column.table, column: link.column.name })
    : refOf(question, link.column);
}

/** A pointer column stands for the label of what it points at: eye_colour_id for the colour's name. */
export function refOf(question: Question, column: SchemaColumn): Ref {
  const edge = question.schema.edges.find(
    (link) => link.from.table === column.table && link.from.column === column.name,
  );
  if (edge === undefined || (!isIdentifier(column) && !column.words.includes("link")))
    return ref({ table: column.table, column: column.name });
  const label = labelColumns(question.schema, edge.to.table)[0];
  if (label === undefined) return ref({ table: column.table, column: column.name });
  return ref({ table: edge.to.table, column: label.name }, roleEdge(question, edge));
}

/** The link itself if there is another between the same tables, so that the right one is taken. */
export function roleEdge(question: Question, edge: Edge): Edge | null {
  const rivals = question.schema.edges.filter(
    (other) => other.from.table === edge.from.table && other.to.table === edge.to.table,
  );
  return rivals.length > 1 ? edge : null;
}

/** How close a column's table is to what stands around a mention. */
function affinity(question: Question, mention: Mention, column: SchemaColumn, tables: readonly string[]): number {
  const preferred = tables.indexOf(column.table);
  const before = neighbour(question, mention, -1);
  const after = neighbour(question, mention, 1);
  const beside = [before, after].some((other) => other?.tables.some((link) => link.table.name === column.table));
  const named = question.mentions.some((other) => other.tables[0]?.table.name === column.table);
  const valued = question.mentions.some((other) => other.values[0]?.column.table === column.table);
  return (
    (preferred >= 0 ? 0.15 / (preferred + 1) : 0) +
    (beside ? 0.2 : 0) +
    (named ? 0.15 : 0) +
    (valued ? 0.05 : 0) +
    (isIdentifier(column) ? -0.02 : 0)
  );
}

const LINKING = new Set(["of", "the", "a", "an", "for", "'s", "each", "all", "any", "every", "that", "this"]);

/** The mention next to another, with nothing but articles and `of` between. */
export function neighbour(question: Question, mention: Mention, step: 1 | -1): Mention | null {
  let index = step === 1 ? mention.to : mention.from - 1;
  while (LINKING.has(lowerAt(question, index))) index += step;
  return question.mentions.find((other) => other !== mention && other.from <= index && index < other.to) ?? null;
}
