/** An invented data bundle with questions and hand-written answers, to see how the baseline reads what nobody tuned it to. */
export interface World {
  readonly name: string;
  /** Table name → CSV text with a header; an empty cell is NULL. */
  readonly tables: Readonly<Record<string, string>>;
  readonly knowledge?: string;
  /** Path → Markdown text. */
  readonly documents?: Readonly<Record<string, string>>;
  readonly questions: readonly WorldQuestion[];
}

export interface WorldQuestion {
  readonly ask: string;
  /** SQL written by hand whose table is the right answer. */
  readonly gold: string;
}

/** A small linear congruential generator: the same worlds on every machine. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * sides);
  };
}

/** CSV text of a header and generated rows. */
export function generated(header: string, rows: number, row: (index: number) => readonly (string | number)[]): string {
  const lines = Array.from({ length: rows }, (_, index) =>
    row(index + 1)
      .map(csvCell)
      .join(","),
  );
  return [header, ...lines].join("\n");
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The element at a position that may run past the end. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("pick from an empty list");
  return item;
}
