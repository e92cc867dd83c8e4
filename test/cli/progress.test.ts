import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { progressReporter } from "../../src/cli/progress.js";
import { profileWith } from "../support/profile.js";
import { NO_CONNECTION, PERFECT, scoreRecord, trialEnd } from "../support/run-records.js";
import { terminalScreen } from "../support/terminal-screen.js";

const trial = (k: number) => ({ arm: "main", task_id: "task_1", k });

/** A stream that is a terminal of 60 columns, or none. */
function stream(isTTY: boolean) {
  const sent: string[] = [];
  const made = Object.assign(new PassThrough(), { isTTY, columns: 60, rows: 24 });
  made.on("data", (piece: Buffer) => sent.push(piece.toString()));
  return { stream: Object.assign(Object.create(process.stderr), made, { write: made.write.bind(made) }), sent };
}

describe("progress", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubEnv("NO_COLOR", "1");
    vi.stubEnv("TERM", "xterm");
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  it("says without a terminal that a run goes on when half a minute brought no line", () => {
    const { stream: to, sent } = stream(false);
    const progress = progressReporter(profileWith({}), to, "all");
    progress.onProgress({ kind: "planned", trials: 3, done: 0 });
    progress.onProgress({ kind: "trial-started", trial: trial(1) });
    vi.advanceTimersByTime(65_000);
    progress.onProgress({
      kind: "trial-ended",
      trial: trial(1),
      end: trialEnd("task_1", 1),
      scores: [scoreRecord("task_1", 1, PERFECT)],
    });
    progress.end();
    vi.advanceTimersByTime(65_000);
    const going = "0/3 done · 1 running · 2 left · solid 0 flaky 0 broken 0 · 0 tokens · ETA …\n";
    expect(sent.join("")).toBe(`${going}${going}[1/3] task_1#1 pass (3 steps, 1.0 s) · solid 0 flaky 0 broken 0\n`);
  });

  it("keeps the first trouble of each kind on a terminal, and counts the others", () => {
    const { stream: to, sent } = stream(true);
    const progress = progressReporter(profileWith({}), to, "all");
    progress.onProgress({ kind: "planned", trials: 3, done: 0 });
    for (const k of [1, 2]) {
      progress.onProgress({ kind: "trial-started", trial: trial(k) });
      const end = trialEnd("task_1", k, { outcome: NO_CONNECTION });
      progress.onProgress({ kind: "trial-ended", trial: trial(k), end, scores: [] });
    }
    progress.onProgress({ kind: "trial-started", trial: trial(3) });
    vi.advanceTimersByTime(1000);
    const screen = terminalScreen(60);
    screen.send(sent.join(""));
    expect(screen.lines()).toEqual([
      "task_1#1 connection: ECONNREFUSED",
      "task_1#3              1 s  reading the data",
      "2/3 done · 1 running · 0 left · solid 0 flaky 0 broken 0",
      "infra 2 · 0 tokens · ETA 1 s",
    ]);
    progress.end();
    screen.send(sent.at(-1) ?? "");
    expect(screen.lines().filter(Boolean)).toEqual(["task_1#1 connection: ECONNREFUSED"]);
  });
});
