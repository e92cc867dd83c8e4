/**
 * The candidates that `word` was probably meant to be, nearest first, at most `count`. Near is a third of the word's
 * length in edits (insert, delete, replace, swap neighbours), at least two, case ignored.
 */
export function nearest(word: string, candidates: Iterable<string>, count = 1): string[] {
  const meant = word.toLowerCase();
  const reach = Math.max(2, Math.floor(meant.length / 3));
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - word.length) > reach) continue;
    const distance = editDistance(meant, candidate.toLowerCase());
    if (distance <= reach) near.push({ candidate, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment: the fewest edits that turn `a` into `b`, a swap of neighbours counting as one. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = cell(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(replace, cell(last, column) + 1, cell(current, column - 1) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, cell(beforeLast, column - 2) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return cell(last, b.length);
}

const cell = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
