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
  readonly cost: number;
  /** Its last link led from many rows to one. */
  readonly widened: boolean;
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
      const [nearest] = paths.sort((one, other) => one.path.cost - other.path.cost);
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

  /** The cheapest links from a table that is already there to `table`. */
  private pathTo(table: string, wanted: ReadonlySet<string>): Path | null {
    let open: readonly Path[] = this.places.map((place) => ({
      at: place.table,
      steps: [],
      start: place,
      cost: 0,
      widened: false,
    }));
    const seen = new Set<string>();
    while (open.length > 0) {
      const [nearest, ...rest] = [...open].sort((one, other) => one.cost - other.cost);
      if (nearest === undefined) return null;
      if (nearest.at === table) return nearest;
      open = rest;
      if (seen.has(nearest.at)) continue;
      seen.add(nearest.at);
      const next = this.schema.edges.flatMap((edge) => this.step(nearest, edge, wanted));
      open = [...open, ...next.filter((path) => !seen.has(path.at))];
    }
    return null;
  }

  /** One link further. To go up to a shared table and down to other rows of it pairs what does not belong together: it costs more. */
  private step(path: Path, edge: Edge, wanted: ReadonlySet<string>): readonly Path[] {
    const at = otherEnd(edge, path.at);
    if (at === null) return [];
    const far = edge.from.table === path.at ? edge.to : edge.from;
    const toOne = isUnique(columnOf(this.schema, far));
    const trap = path.widened && !toOne;
    const cost = path.cost + 1 + (trap ? 1.6 : 0) - (wanted.has(at) ? 0.3 : 0) - 0.05 * this.wantedBeside(at, wanted);
    return [{ at, steps: [...path.steps, edge], start: path.start, cost, widened: toOne }];
  }

  /** How many tables that are wanted or already there a table links to directly. */
  private wantedBeside(table: string, wanted: ReadonlySet<string>): number {
    const beside = new Set(this.schema.edges.flatMap((edge) => otherEnd(edge, table) ?? []));
    return [...beside].filter((other) => wanted.has(other) || this.isThere(other)).length;
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
