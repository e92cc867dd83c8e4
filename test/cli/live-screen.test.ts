import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liveScreen } from "../../src/cli/live-screen.js";
import { liveLines } from "../../src/report/live-lines.js";
import { textWidth } from "../../src/report/text-width.js";
import { terminalScreen } from "../support/terminal-screen.js";

const same = (text: string) => text;
const PLAIN = { good: same, middling: same, bad: same, faint: same, strong: same };
const WHOLE = ["5/39 done", "2 running", "32 left", "solid 1 flaky 0 broken 0", "45.1k tokens", "ETA 40 s"];
const TRIALS = [
  { name: "task_13_hot_days#2", step: 4, doing: "execute_probe_query", seconds: 3.7 },
  { name: "北京天气统计#1", step: 0, doing: "reading the data", seconds: 754 },
];

/** A terminal of so many columns, what is drawn on it, and the screen that draws. */
function onScreen(columns: number) {
  const terminal = terminalScreen(columns);
  const stream = { columns, write: (text: string) => terminal.send(text) === undefined };
  return { terminal, screen: liveScreen(stream) };
}

describe("the live view", () => {
  it("has a line a running trial and one for the run, in columns that wide characters do not break", () => {
    expect(liveLines(TRIALS, WHOLE, { columns: 90, rows: 24 }, 18, PLAIN)).toEqual([
      "task_13_hot_days#2  step 4      3 s  execute_probe_query",
      "北京天气统计#1               12 min  reading the data",
      "5/39 done · 2 running · 32 left · solid 1 flaky 0 broken 0 · 45.1k tokens · ETA 40 s",
    ]);
  });

  it("cuts names in the middle and breaks the run's line where the terminal is narrow", () => {
    expect(liveLines(TRIALS, WHOLE, { columns: 40, rows: 24 }, 18, PLAIN)).toEqual([
      "task_…ys#2  step 4      3 s  execute_p…",
      "北京…计#1            12 min  reading t…",
      "5/39 done · 2 running · 32 left",
      "solid 1 flaky 0 broken 0 · 45.1k tokens",
      "ETA 40 s",
    ]);
  });

  it("counts the trials that a low terminal has no room for", () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ name: `task_${index}#1`, step: 1, doing: "", seconds: 1 }));
    expect(liveLines(many, WHOLE, { columns: 120, rows: 6 }, 8, PLAIN).map((line) => line.slice(0, 12))).toEqual([
      "task_0#1  st",
      "task_1#1  st",
      "task_2#1  st",
      "… and 6 more",
      "5/39 done · ",
    ]);
  });

  it("is never wider or higher than the terminal, whatever names and tools are called", () => {
    const trial = fc.record({
      name: fc.string({ unit: "grapheme", maxLength: 60 }),
      step: fc.nat(999),
      doing: fc.string({ unit: "grapheme", maxLength: 60 }),
      seconds: fc.double({ min: 0, max: 1e5, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(trial, { maxLength: 12 }),
        fc.integer({ min: 20, max: 140 }),
        fc.integer({ min: 3, max: 12 }),
        (trials, columns, rows) => {
          const lines = liveLines(trials, WHOLE, { columns, rows }, 30, PLAIN);
          expect(lines.length).toBeLessThan(rows);
          for (const line of lines) expect(textWidth(line)).toBeLessThan(columns);
        },
      ),
    );
  });

  it("draws over itself, keeps notes above, and leaves nothing", () => {
    const { terminal, screen } = onScreen(40);
    terminal.send("$ run\r\n");
    screen.show(["one", "北京天气 two", "whole"]);
    screen.show(["three", "whole"]);
    expect(terminal.lines()).toEqual(["$ run", "three", "whole"]);
    screen.note("task_1#1 connection refused");
    screen.show(["four", "five", "whole"]);
    expect(terminal.lines()).toEqual(["$ run", "task_1#1 connection refused", "four", "five", "whole"]);
    screen.clear();
    terminal.send("summary\r\n");
    expect(terminal.lines().filter(Boolean)).toEqual(["$ run", "task_1#1 connection refused", "summary"]);
  });

  it("goes to the start of lines that a narrower terminal has broken", () => {
    const written: string[] = [];
    const stream = { columns: 40, write: (text: string) => written.push(text) > 0 };
    const screen = liveScreen(stream);
    screen.show(["x".repeat(39), "北".repeat(12), "whole"]);
    stream.columns = 20;
    screen.show(["whole"]);
    // Two rows for each of the first two lines and one for the third: four above the last.
    expect(written.at(-1)?.startsWith("\r\u001b[4A")).toBe(true);
  });
});
