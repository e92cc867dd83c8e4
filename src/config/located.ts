/** Where a value was written: a file and its line, or the flag that holds it (then without a line). */
export interface Origin {
  readonly source: string;
  readonly line: number | null;
}

export type Scalar = string | number | boolean | null;

/** A YAML value that knows where it was written; a member of a map is where its key is. */
export type Located =
  | { readonly kind: "scalar"; readonly at: Origin; readonly value: Scalar; readonly quoted: boolean }
  | { readonly kind: "list"; readonly at: Origin; readonly items: readonly Located[] }
  | LocatedMap;

export interface LocatedMap {
  readonly kind: "map";
  readonly at: Origin;
  readonly entries: ReadonlyMap<string, Located>;
}

/** Something to tell a person, with the place where to mend it. */
export interface Problem {
  readonly at: Origin;
  readonly message: string;
}

/** `over` on top of `under`: maps are merged key by key at every depth, anything else is replaced whole. */
function mergeLocated(under: Located, over: Located): Located {
  if (under.kind !== "map" || over.kind !== "map") return over;
  return mergeMaps(under, over);
}

export function mergeMaps(under: LocatedMap, over: LocatedMap): LocatedMap {
  const entries = new Map(under.entries);
  for (const [key, value] of over.entries) {
    const before = entries.get(key);
    entries.set(key, before === undefined ? value : mergeLocated(before, value));
  }
  return { kind: "map", at: over.at, entries };
}

/** The bare value. */
export function plainValue(node: Located): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plainValue);
    case "map":
      return Object.fromEntries([...node.entries].map(([key, value]) => [key, plainValue(value)]));
  }
}

/** Where the value at `path` was written; for a path that is not there, where its nearest ancestor was. */
export function originOf(root: Located, path: readonly PropertyKey[]): Origin {
  let node = root;
  for (const key of path) {
    const inner: Located | undefined =
      node.kind === "map" ? node.entries.get(String(key)) : node.kind === "list" ? node.items[Number(key)] : undefined;
    if (inner === undefined) break;
    node = inner;
  }
  return node.at;
}

/** One line a problem, `file:line: message`, in the order of the files' lines; the same line is said once. */
export function problemLines(problems: readonly Problem[]): string[] {
  const inOrder = problems.toSorted(
    (a, b) =>
      (a.at.source < b.at.source ? -1 : a.at.source > b.at.source ? 1 : 0) || (a.at.line ?? 0) - (b.at.line ?? 0),
  );
  return [...new Set(inOrder.map(({ at, message }) => `${formatOrigin(at)}: ${message}`))];
}

const formatOrigin = (at: Origin): string => (at.line === null ? at.source : `${at.source}:${at.line}`);
