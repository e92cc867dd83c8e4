import type { SqlNode } from "../sql-tree.js";

/** A part of a tree that the printer does not know, or a number that the tree does not hold exactly. */
export class Unprintable extends Error {}

/** A part that must be there. */
export function needed(node: SqlNode | null, what: string): SqlNode {
  if (node === null) throw new Unprintable(what);
  return node;
}

/** What a printer returns; null where it met something unprintable. */
export function printed(print: () => string): string | null {
  try {
    return print();
  } catch (error) {
    if (error instanceof Unprintable) return null;
    throw error;
  }
}
