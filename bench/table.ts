import os from "node:os";

/** One line of the result: what was measured, the figure, what it is held to, and the ratio to its yardstick where there is one. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  readonly met: boolean | null;
  readonly beside: string;
}

/** What `docs/benchmarks.md` holds: when, where and by what command, then a line a figure. */
export function printReport(rows: readonly Row[], parts: readonly string[]): void {
  const machine = `Node ${process.version}, ${os.cpus().length} cores (${os.cpus()[0]?.model ?? "unknown"}), ${(os.totalmem() / 2 ** 30).toFixed(0)} GiB, ${os.type()} ${os.release()}`;
  const command = ["npm run bench", ...(parts.length === 0 ? [] : ["--", ...parts])].join(" ");
  // Above one process a core the figures are those of a busy machine.
  const load = `load of the last minute at the end: ${os.loadavg()[0]?.toFixed(1) ?? "unknown"}`;
  process.stdout.write(`${new Date().toISOString().slice(0, 10)}, \`${command}\`, ${machine}; ${load}.\n\n`);
  printCells([
    ["what", "measured", "goal", "met", "beside it, in the same run"],
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
