import type { Candidate } from "../choice.js";
import { columnOf, isUnique, type Schema } from "../schema/schema.js";
import { refsOfCondition } from "../sql/plan.js";
import type { Question, Reading } from "./question.js";

/** The table whose rows a question is about when no noun of the target says it. */
export function rootTable(reading: Reading, before: number = Number.POSITIVE_INFINITY): string {
  const { question } = reading;
  const used = new Set(reading.conditions.flatMap(({ what }) => refsOfCondition(what).map((ref) => ref.table)));
  const candidates = question.schema.tables.map((table): Candidate<string> => {
    const mention = question.mentions.find((candidate) => candidate.tables[0]?.table === table);
    const named = mention === undefined ? 0 : (mention.tables[0]?.score ?? 0) * (mention.from < before ? 0.9 : 0.7);
    const alone = used.size === 1 && used.has(table.name) ? 0.15 : 0;
    const detailed = isMostDetailed(question.schema, table.name, used) ? 0.25 : 0;
    return {
      option: table.name,
      label: table.name,
      score: named + (used.has(table.name) ? 0.2 : 0) + alone + detailed + Math.log10(table.rows + 1) * 0.01,
    };
  });
  const root = question.chooser.choose("rows counted", candidates);
  if (root === null) throw new Error("a question about no table");
  return root;
}

/** Whether a table points at others and none of the tables in use points at it. */
function isMostDetailed(schema: Schema, table: string, used: ReadonlySet<string>): boolean {
  const pointsOut = schema.edges.some((edge) => edge.from.table === table);
  const pointedAt = schema.edges.some(
    (edge) => edge.to.table === table && (used.size === 0 || used.has(edge.from.table)),
  );
  return pointsOut && !pointedAt;
}

/** Whether many rows of `many` may belong to one row of `one`. */
export function isOneToMany(schema: Schema, one: string, many: string): boolean {
  if (one === many) return false;
  let frontier = [{ table: one, fans: false }];
  const seen = new Set([one]);
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { table, fans } of frontier) {
      for (const edge of schema.edges) {
        const far = edge.from.table === table ? edge.to : edge.to.table === table ? edge.from : null;
        if (far === null || seen.has(far.table)) continue;
        const fansHere = fans || !isUnique(columnOf(schema, far));
        if (far.table === many) return fansHere;
        seen.add(far.table);
        next.push({ table: far.table, fans: fansHere });
      }
    }
    frontier = next;
  }
  return false;
}

/** The first table named before a token: what `them` and `they` stand for. */
export function tableBefore(question: Question, index: number): string | null {
  const mention = question.mentions.find((candidate) => candidate.to <= index && candidate.tables.length > 0);
  return mention?.tables[0]?.table.name ?? null;
}
