/** One of `count` parts of a plan; `index` from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The part of a shard, dealt out like cards: together the parts are the whole, and none has more than one item more than another. */
export function dealt<Item>(items: readonly Item[], { index, count }: Shard): Item[] {
  return items.filter((_item, position) => position % count === index - 1);
}
