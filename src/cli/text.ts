import { Chalk } from "chalk";
import type { Paint, TerminalStyle } from "../report/render-terminal.js";
import { wrapParts } from "../report/text-width.js";

/** How results are written to stdout: colours only on a terminal that wants them, lines as wide as COLUMNS or the terminal says. */
export function stdoutStyle(): TerminalStyle {
  return styleOf(process.stdout);
}

/** The same of any stream. */
export function styleOf(stream: NodeJS.WriteStream): TerminalStyle {
  return {
    paint: paintFor(stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb"),
    columns: columnsFrom(process.env.COLUMNS) ?? (stream.isTTY === true ? stream.columns : null),
  };
}

function paintFor(colours: boolean): Paint {
  const chalk = new Chalk({ level: colours ? 1 : 0 });
  return {
    good: (text) => chalk.green(text),
    middling: (text) => chalk.yellow(text),
    bad: (text) => chalk.red(text),
    faint: (text) => chalk.dim(text),
    strong: (text) => chalk.bold(text),
  };
}

/** COLUMNS where it is a sensible width: at least 20. */
function columnsFrom(text: string | undefined): number | null {
  const columns = Number(text);
  return Number.isInteger(columns) && columns >= 20 ? columns : null;
}

/** Lines to stdout. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** A value to stdout as JSON that a person can read too. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A sentence to stderr, in lines of a terminal's width. */
export function say(sentence: string): void {
  process.stderr.write(`${wrapParts([sentence], " ", styleOf(process.stderr).columns).join("\n")}\n`);
}

/** A note to stderr that does not stop anything. */
export function warn(message: string): void {
  process.stderr.write(`daw-eval: warning: ${message}\n`);
}
