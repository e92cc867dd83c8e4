/** The middle value, or the mean of the two; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Share of pairs that are equal, 0 … 1; null with fewer than two values. */
export function agreementOf(values: readonly string[]): number | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const pairs = (n: number) => (n * (n - 1)) / 2;
  if (values.length < 2) return null;
  return [...counts.values()].reduce((sum, count) => sum + pairs(count), 0) / pairs(values.length);
}

/** Items by key, keys in order of first appearance. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** How often each name occurs, in order of first appearance. */
export function countNames(names: Iterable<string>): Readonly<Record<string, number>> {
  return Object.fromEntries([...groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}
