import type { DomainReply } from "../../core/ports/domain-query.js";

/** A domain with more distinct values is none that a person could check a name against. */
export const MOST_VALUES = 100_000;
const MOST_CHARACTERS = 50_000_000;

/** Takes the cells of a query's one column; nulls are nothing. */
export interface ValueCollector {
  /** Returns false once there are too many: the query may stop. */
  add(cell: string | null): boolean;
  reply(): DomainReply;
}

export function collectValues(): ValueCollector {
  const values = new Set<string>();
  let characters = 0;
  const tooMany = () => values.size > MOST_VALUES || characters > MOST_CHARACTERS;
  return {
    add(cell) {
      if (cell !== null && !values.has(cell)) {
        values.add(cell);
        characters += cell.length;
      }
      return !tooMany();
    },
    reply: () =>
      tooMany()
        ? { ok: false, message: `more than ${MOST_VALUES} values (or ${MOST_CHARACTERS / 1e6} million characters)` }
        : { ok: true, values: [...values] },
  };
}

/** Why a query with these columns gives no domain; null where it has the one that it must have. */
export function columnTrouble(columns: readonly string[]): string | null {
  if (columns.length === 1) return null;
  return `domain_sql must select one column, not ${columns.length}${columns.length > 0 ? ` (${columns.join(", ")})` : ""}`;
}
