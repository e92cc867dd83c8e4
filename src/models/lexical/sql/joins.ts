import { type ColumnName, columnOf, type Edge, isUnique, type Schema } from "../schema/schema.js";
import { quoteName } from "./names.js";
import type { Ref } from "./plan.js";

/** A table in the FROM clause; the same table may stand there twice, reached by different links. */
interface Place {
  readonly key: string;
  readonly table: string;
  readonly alias: string;
}

export interface Joins {
  /** FROM and JOIN clauses. */
  readonly sql: string;
  /** Qualified, quoted column. */
  readonly column: (ref: Ref) => string;
  /** Whether a row of the root table may occur more than once. */
  readonly fansOut: boolean;
  /** Tables that no link reaches: what they say is left out. */
  readonly unreachable: ReadonlySet<string>;
}

interface Path {
  readonly at: string;
  readonly steps: readonly Edge[];
  readonly start: Place;
}

const placeKey = (table: string, via: Edge | null) =>
  via === null ? table : `${table} by ${via.from.table}.${via.from.column}`;

/** Joins everything that `refs` and `tables` need to `root`, along the fewest links. `how` is INNER or LEFT. */
export function joinTables(
  schema: Schema,
  root: string,
  refs: readonly Ref[],
  tables: readonly string[],
  how: "JOIN" | "LEFT JOIN",
): Joins {
  const state = new JoinState(schema, root, how);
  const needed = [
    ...tables,
    ...refs.filter((ref) => ref.via === null).map((ref) => ref.table),
    ...refs.flatMap((ref) => (ref.via === null ? [] : [ref.via.from.table])),
  ];
  state.reachAll(new Set(needed));
  for (const ref of refs) if (ref.via !== null) state.reachVia(ref.table, ref.via);
  return {
    sql: state.sql(),
    column: (ref) => `${state.aliasOf(ref)}.${quoteName(ref.column)}`,
    fansOut: state.fansOut,
    unreachable: state.unreachable,
  };
}

class JoinState {
  readonly unreachable = new Set<string>();
  fansOut = false;
  private readonly places: Place[] = [];
  private readonly clauses: string[] = [];
  private readonly schema: Schema;
  private readonly how: string;

  constructor(schema: Schema, root: string, how: string) {
    this.schema = schema;
    this.how = how;
    const place = this.add(root, null);
    this.clauses.push(`FROM ${quoteName(root)} AS ${place.alias}`);
  }

  sql(): string {
    return this.clauses.join(" ");
  }

  aliasOf(ref: Ref): string {
    const place = this.find(placeKey(ref.table, ref.via)) ?? this.find(ref.table);
    return place?.alias ?? quoteName(ref.table);
  }

  /** Nearest first, so that a table that is needed anyway serves as the way to the others. */
  reachAll(tables: ReadonlySet<string>): void {
    const left = new Set([...tables].filter((table) => !this.isThere(table)));
    while (left.size > 0) {
      const paths = [...left].flatMap((table) => {
        const path = this.pathTo(table, left);
        return path === null ? [] : [{ table, path }];
      });
      const [nearest] = paths.sort((one, other) => one.path.steps.length - other.path.steps.length);
      if (nearest === undefined) break;
      this.follow(nearest.path);
      for (const table of left) if (this.isThere(table)) left.delete(table);
    }
    for (const table of left) this.unreachable.add(table);
  }

  private isThere(table: string): boolean {
    return this.places.some((place) => place.table === table);
  }

  reachVia(table: string, via: Edge): void {
    if (this.find(placeKey(table, via)) !== undefined) return;
    const start = sameTable(via.to.table, table) ? via.from.table : via.to.table;
    this.reachAll(new Set([start]));
    const place = this.places.find((candidate) => candidate.table === start);
    if (place !== undefined) this.join(via, place, via);
  }

  private join(edge: Edge, from: Place, via: Edge | null): void {
    const forward = edge.from.table === from.table;
    const near = forward ? edge.from : edge.to;
    const far = forward ? edge.to : edge.from;
    if (via === null && this.places.some((place) => place.table === far.table)) return;
    if (!isUnique(columnOf(this.schema, far))) this.fansOut = true;
    const place = this.add(far.table, via);
    this.clauses.push(
      `${this.how} ${quoteName(far.table)} AS ${place.alias} ON ${qualified(from.alias, near)} = ${qualified(place.alias, far)}`,
    );
  }

  /** The fewest links from a table that is already there to `table`; among equals, through tables that are wanted. */
  private pathTo(table: string, wanted: ReadonlySet<string>): Path | null {
    let paths: readonly Path[] = this.places.map((place) => ({ at: place.table, steps: [], start: place }));
    const seen = new Set(paths.map((path) => path.at));
    while (paths.length > 0) {
      const next = paths.flatMap((path) =>
        this.schema.edges.flatMap((edge): Path[] => {
          const at = otherEnd(edge, path.at);
          return at === null || seen.has(at) ? [] : [{ at, steps: [...path.steps, edge], start: path.start }];
        }),
      );
      const direct = next.filter((path) => path.at === table);
      const best =
        direct.find((path) =>
          path.steps.slice(0, -1).every((edge) => wanted.has(edge.from.table) && wanted.has(edge.to.table)),
        ) ?? direct[0];
      if (best !== undefined) return best;
      for (const path of next) seen.add(path.at);
      paths = [...new Map([...next].reverse().map((path) => [path.at, path])).values()].sort(
        (one, other) => Number(wanted.has(other.at)) - Number(wanted.has(one.at)),
      );
    }
    return null;
  }

  private follow(path: Path): void {
    let from = path.start;
    for (const edge of path.steps) {
      this.join(edge, from, null);
      const at = otherEnd(edge, from.table);
      from = this.places.find((place) => place.table === at) ?? from;
    }
  }

  private add(table: string, via: Edge | null): Place {
    const place = { key: placeKey(table, via), table, alias: `t${this.places.length + 1}` };
    this.places.push(place);
    return place;
  }

  private find(key: string): Place | undefined {
    return this.places.find((place) => place.key === key);
  }
}

function otherEnd(edge: Edge, table: string): string | null {
  if (edge.from.table === table) return edge.to.table;
  return edge.to.table === table ? edge.from.table : null;
}

const sameTable = (left: string, right: string) => left === right;
const qualified = (alias: string, column: ColumnName) => `${alias}.${quoteName(column.column)}`;
