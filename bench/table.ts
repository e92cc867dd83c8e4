/** One line of the result: what was measured, the figure, what it is held to, and the ratio to its yardstick where there is one. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  readonly met: boolean | null;
  readonly beside: string;
}

export function printTable(rows: readonly Row[]): void {
  printCells([
    ["measured", "figure", "goal", "met", "beside it, in the same run"],
    ...rows.map((row) => [row.what, row.figure, row.goal, row.met === null ? "" : row.met ? "yes" : "NO", row.beside]),
  ]);
}

/** A Markdown table, its first line the header. */
export function printCells(lines: readonly (readonly string[])[]): void {
  const widths = (lines[0] ?? []).map((_cell, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const [index, line] of lines.entries()) {
    process.stdout.write(`| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`);
    if (index === 0) process.stdout.write(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |\n`);
  }
}
