import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textWidth } from "../../src/report/text-width.js";
import { cli } from "../support/cli.js";
import { cliStage, probe, turnOf } from "../support/cli-run.js";
import type { ModelRequestSeen } from "../support/model-server.js";
import { cliOnTerminal, hasPseudoTerminal } from "../support/pseudo-terminal.js";
import { writeTask } from "../support/suite.js";
import { terminalScreen } from "../support/terminal-screen.js";

const folder = mkdtempSync(path.join(os.tmpdir(), "daw-eval-terminal-"));
const run = (id: string, ...more: string[]) => ["run", "suite", "--run-id", id, "--cache-dir", "cache", ...more];

beforeAll(async () => {
  const suite = path.join(folder, "suite");
  await writeTask(suite, { task_id: "task_北京天气统计分析", gold: "n\n1\n" });
  await writeTask(suite, { task_id: "task_with_a_long_name_in_english", gold: "n\n1\n" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The answers to the first `turns` requests, and then nothing for longer than the test takes. */
const silentAfter = (turns: number) => async (request: ModelRequestSeen) => {
  if (turnOf(request) >= turns) await sleep(60_000, undefined, { ref: false });
  return probe();
};

const ESCAPE = String.fromCharCode(27);
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g");

/** What stays on a terminal of so many columns, none of it wider. */
function shownOn(columns: number, sent: string): string[] {
  for (const line of sent.replaceAll(COLOURS, "").split(/[\r\n]+/)) {
    expect(textWidth(line.replaceAll(new RegExp(`${ESCAPE}\\[\\d*[AKJ]`, "g"), ""))).toBeLessThanOrEqual(columns);
  }
  const screen = terminalScreen(columns);
  screen.send(sent);
  return screen.lines();
}

describe.skipIf(!hasPseudoTerminal)("a run on a real terminal (skipped without python3)", () => {
  it("shows each trial in flight on a line while it runs, and after it nothing but the summary", async () => {
    const { code, sent } = await cliOnTerminal(run("eighty", "-n", "2"), { cwd: folder, columns: 80 });
    expect(code).toBe(0);
    expect(sent.replaceAll(COLOURS, "")).toMatch(/task_北京天气统计分析#1 +(step \d)? +\d+ s {2}\w+/);
    expect(sent).toMatch(/\d\/4 done · \d running · \d left/);
    const lines = shownOn(80, sent);
    expect(lines.filter((line) => / running · /.test(line))).toEqual([]);
    expect(lines[0]).toContain("2 tasks × 2 → runs/eighty");
    expect(lines.find((line) => line.startsWith("task_北京天气统计分析"))).toMatch(/[●○]{2} \d\/2/);
  });

  it.each([
    ["while a model is asked", 0, "asking"],
    ["while the first tool call tries out the sandbox", 1, "step 1"],
  ])(
    "suspends at Ctrl-C %s, says how to go on, and leaves the terminal as it was, at 40 columns too",
    async (_, turns, interruptAt) => {
      const stage = await cliStage({ script: silentAfter(turns) });
      const { code, sent } = await cliOnTerminal([...stage.args, "--concurrency", "1"], {
        cwd: stage.folder,
        columns: 40,
        env: stage.env,
        interruptAt,
      });
      expect(code).toBe(130);
      const lines = shownOn(40, sent);
      const said = lines.join(" ").replaceAll(/\s+/g, " ");
      expect(said).toContain("stopping: trials in flight are being suspended (again to quit at once)");
      expect(said).toContain("go on with: daw-eval resume runs/r");
      expect(lines.filter((line) => / running$/.test(line))).toEqual([]);
      // The cursor is never hidden, and no other mode is ever set.
      expect(sent).not.toContain(`${ESCAPE}[?`);
    },
  );

  it("says nothing while it runs with --no-progress, and with NO_COLOR nothing in colour", async () => {
    const { sent } = await cliOnTerminal(run("calm", "-n", "1", "--no-progress"), {
      cwd: folder,
      columns: 120,
      env: { NO_COLOR: "1" },
    });
    expect(sent).not.toContain("running");
    expect(sent).not.toContain(ESCAPE);
    expect(sent).toContain("traces: daw-eval show runs/calm");
  });
});

describe.skipIf(!hasPseudoTerminal)("--help on a real terminal (skipped without python3)", () => {
  it.each([40, 60, 80])("fits %d columns", async (columns) => {
    for (const args of [["--help"], ["run", "--help"]]) {
      const { code, sent } = await cliOnTerminal(args, { cwd: folder, columns });
      expect(code).toBe(0);
      expect(sent.split(/\r?\n/).filter((line) => textWidth(line) > columns)).toEqual([]);
      expect(sent).toMatch(/every task n times, score it,\s+write\s+the log/);
    }
  });
});

describe("a run without a terminal", () => {
  it("says a plain line a trial, and nothing at all with --quiet", async () => {
    const all = await cli(run("plain", "-n", "1"), { cwd: folder });
    expect(all.stderr).toMatch(
      /^\[2\/2\] task_\S+#1 (pass|miss) \(\d+ steps, \d+\.\d s\) · solid \d flaky 0 broken \d$/m,
    );
    expect(all.stderr).not.toContain(ESCAPE);
    const quiet = await cli(run("quiet", "-n", "1", "--quiet", "--json"), { cwd: folder });
    expect(quiet.stderr).toBe("");
    expect(JSON.parse(quiet.stdout)).toMatchObject({ run_id: "quiet" });
  });
});
