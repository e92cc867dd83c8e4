import { textWidth } from "../../src/report/text-width.js";

/** What a terminal shows after it was sent some text: as much of one as our own output needs, wide characters and breaking at the last column included. */
export interface TerminalScreen {
  send(text: string): void;
  /** Every line that was ever on it, without blanks at the end. */
  lines(): string[];
}

const CONTROLS = new RegExp(`${String.fromCharCode(27)}\\[(\\??[0-9;]*)([A-Za-z])|\\r|\\n|[\\s\\S]`, "gu");
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Throws on a control sequence that is not known here, so that none passes unnoticed. */
export function terminalScreen(columns: number): TerminalScreen {
  const rows: string[][] = [[]];
  let row = 0;
  let cell = 0;
  const current = () => {
    while (rows.length <= row) rows.push([]);
    return rows[row] ?? [];
  };
  const print = (grapheme: string) => {
    const width = Math.max(1, textWidth(grapheme));
    if (cell + width > columns) {
      row++;
      cell = 0;
    }
    const line = current();
    while (line.length < cell) line.push(" ");
    line.splice(cell, width, grapheme, ...Array.from({ length: width - 1 }, () => ""));
    cell += width;
  };
  const obey = (argument: string, command: string) => {
    if (command === "A") row = Math.max(0, row - Number(argument || "1"));
    else if (command === "K") current().splice(cell);
    else if (command === "J") {
      current().splice(cell);
      rows.splice(row + 1);
    } else if (command !== "m") throw new Error(`a terminal was sent ESC[${argument}${command}`);
  };
  return {
    send: (text) => {
      let plain = "";
      const flush = () => {
        for (const { segment } of graphemes.segment(plain)) print(segment);
        plain = "";
      };
      for (const [token, argument = "", command] of text.matchAll(CONTROLS)) {
        if (command === undefined && token !== "\r" && token !== "\n") {
          plain += token;
          continue;
        }
        flush();
        if (token === "\r") cell = 0;
        else if (token === "\n") {
          row++;
          current();
        } else obey(argument, command ?? "");
      }
      flush();
    },
    lines: () => rows.map((line) => line.join("").trimEnd()),
  };
}
