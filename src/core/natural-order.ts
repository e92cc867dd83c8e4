/**
 * Orders names as a person would: runs of ASCII digits by their value (`task_9` before `task_10`), all else by code
 * unit. A total order: 0 only for equal names.
 */
export function naturalOrder(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
}

const partsOf = (name: string): readonly string[] => name.match(/[0-9]+|[^0-9]+/g) ?? [];

function compareParts(a: string, b: string): number {
  if (!/^[0-9]/.test(a) || !/^[0-9]/.test(b)) return compareText(a, b);
  const [x, y] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return x.length - y.length || compareText(x, y);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
