import { textWidth } from "../report/text-width.js";

/** Lines at the bottom of a terminal that are written over again and again. The cursor is never hidden, so nothing is left to be restored. */
export interface LiveScreen {
  /** Replaces what is there. */
  show(lines: readonly string[]): void;
  /** A line that stays, above them. */
  note(line: string): void;
  /** Takes them away. */
  clear(): void;
}

const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** What a live screen needs of a terminal; `columns` may change at any time. */
interface Terminal {
  readonly columns: number;
  write(text: string): unknown;
}

export function liveScreen(stream: Terminal): LiveScreen {
  let drawn: readonly string[] = [];
  /** To the first cell of what was drawn; a terminal that was made narrower has broken its lines. */
  const home = () => {
    const columns = stream.columns || 80;
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    return rows > 1 ? `\r\u001b[${rows - 1}A` : "\r";
  };
  // One write a drawing, and each line is written before what is behind it is cleared: nothing flickers.
  const draw = (before: string, lines: readonly string[]) => {
    stream.write(`${home()}${before}${lines.map((line) => `${line}${CLEAR_LINE}`).join("\r\n")}${CLEAR_BELOW}`);
    drawn = lines;
  };
  return {
    show: (lines) => draw("", lines),
    note: (line) => draw(`${line}${CLEAR_LINE}\r\n`, drawn),
    clear: () => {
      if (drawn.length > 0) draw("", []);
    },
  };
}

const widthOf = (line: string): number => textWidth(line.replaceAll(COLOURS, ""));
