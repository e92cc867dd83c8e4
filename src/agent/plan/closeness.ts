/** Goals whose characters overlap so much are taken for the same (seed 3, section 4.3). */
const CLOSE = 0.8;

/**
 * Whether the output of one goal may serve for the other: the pairs of neighbouring characters overlap (Dice ≥ .8), and the numbers, quoted
 * values and capitalised names in them are the same. Those are what a goal is about: "sales of 2019" is not done by having done
 * "sales of 2018", however alike they look.
 */
export function areClose(left: string, right: string): boolean {
  const [a, b] = [plain(left), plain(right)];
  return overlap(a, b) >= CLOSE && sameSet(particulars(left), particulars(right));
}

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** Twice the shared pairs over all pairs, each counted as often as it occurs; 1 for equal texts. */
function overlap(left: string, right: string): number {
  if (left === right) return 1;
  const [a, b] = [pairs(left), pairs(right)];
  const left_over = new Map<string, number>();
  for (const pair of b) left_over.set(pair, (left_over.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of a) {
    const count = left_over.get(pair) ?? 0;
    if (count > 0) shared++;
    left_over.set(pair, count - 1);
  }
  const all = a.length + b.length;
  return all === 0 ? 0 : (2 * shared) / all;
}

function pairs(text: string): string[] {
  const characters = [...text];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Numbers, quoted values, and words with a capital that do not begin a sentence. */
function particulars(text: string): string[] {
  const numbers = text.match(/\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
  const quoted = text.match(/"[^"]+"|“[^”]+”|'[^']+'|「[^」]+」|`[^`]+`/gu) ?? [];
  const names = [...text.matchAll(/(?<=[^\s.!?:]\s)\p{Lu}[\p{L}\p{M}\p{N}_-]*/gu)].map(([name]) => name);
  return [...numbers, ...quoted, ...names];
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((member) => b.has(member));
}
