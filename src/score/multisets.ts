/** A sorted copy; cell numbers are never NaN. */
export function sortedCopy(numbers: Float64Array): Float64Array {
  return numbers.slice().sort();
}

/** How many numbers two sorted arrays share, each as often as it occurs in both. */
export function overlap(a: Float64Array, b: Float64Array): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] ?? 0;
    const right = b[j] ?? 0;
    if (left === right) shared++;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return shared;
}

/** A number for each row from its number so far and its cell in a further column: equal rows keep equal numbers. */
export function extendRows(rows: Float64Array, column: Float64Array): Float64Array {
  return rows.map((row, index) => combine(row, column[index] ?? 0));
}

/** Scatters two numbers of 53 bits into one; their order counts. */
function combine(a: number, b: number): number {
  let low = scatter((a >>> 0) ^ Math.imul(b >>> 0, 0xcc9e2d51));
  const high = scatter((Math.floor(a / 2 ** 32) + low) ^ Math.imul(Math.floor(b / 2 ** 32), 0x1b873593));
  low = scatter(low ^ high);
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** The finishing step of MurmurHash3: every bit of the input reaches every bit of the output. */
function scatter(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
