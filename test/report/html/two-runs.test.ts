import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { TrialEventBody } from "../../../src/core/event.js";
import type { PlanRecord } from "../../../src/core/plan-record.js";
import type { RunRecord } from "../../../src/core/run-record.js";
import { trajectoryElement } from "../../../src/report/html/page-data.js";
import { chromiumPath, openFile, shownText, startBrowser } from "../../support/browser.js";
import { cli } from "../../support/cli.js";
import { candidate, respond, started, toolReturned } from "../../support/events.js";
import { logText, runOf, scoreRecord } from "../../support/run-records.js";

const folder = mkdtempSync(path.join(os.tmpdir(), "daw-eval-html-two-"));
const file = path.join(folder, "two.html");
let browser: Browser;

const probe = (id: string, sql: string) => toolReturned(id, { args: { queries: [sql] } });
const SAME: readonly TrialEventBody[] = [started(), respond({ calls: ["a"] }), probe("a", "SELECT 1")];
const EVENTS = {
  base: [...SAME, respond({ calls: ["b"] }), probe("b", "SELECT 2"), respond({ calls: ["c"] }), candidate("c")],
  head: [...SAME, respond({ calls: ["b"] }), probe("b", "SELECT 3"), respond({ calls: ["c"] }), candidate("c")],
};

/** One trial had a plan, whose verification stopped twice; and claims and lines of it were scored. */
function withPlan(records: readonly RunRecord[]): RunRecord[] {
  const stopped = { sub_goal: "s1", round: 1, passed: false, score: null, scope: "local" } as const;
  const plan: PlanRecord = {
    ...{ rounds: 2, replans: 1, degraded: "rounds-spent", evidence: 4, empty_results: 1, reused: 0 },
    ...{ requests: 2, shown_tokens: 10, full_tokens: 40 },
    verdicts: [
      { ...stopped, layer: "structure", rules: ["no-citation"] },
      { ...stopped, layer: "goal", rules: [] },
    ],
  };
  return records.flatMap((one) => {
    if (one.record !== "trial-end" || one.task_id !== "task_3" || one.k !== 1) return [one];
    const scored = (scorer: string, value: number) => scoreRecord("task_3", 1, { scorer, value, status: "partial" });
    const times = { wall_ms: 4000, model_ms: 2000, tool_ms: 1000 };
    return [{ ...one, ...times, plan }, scored("claims", 0.5), scored("line-format", 0.25)];
  });
}

/**
 * Two logs by hand with all that a comparison can have: a drop, a rise, one as before, another gold, tasks of one side, trials without an end;
 * and one page of both.
 */
beforeAll(async () => {
  if (chromiumPath === null) return;
  const logs = {
    base: runOf({ task_1: "111", task_2: "000", task_3: "110", task_4: "111", task_5: "111" }, { run_id: "base" }),
    head: withPlan(
      runOf(
        { task_1: "100", task_2: "111", task_3: "110", task_4: "000", task_6: "1.." },
        { run_id: "head", tasks: { task_4: { gold: "other" } } },
      ),
    ),
  };
  for (const id of ["base", "head"] as const) {
    const trial = path.join(folder, id, "trials/main/task_1/1/1");
    mkdirSync(trial, { recursive: true });
    writeFileSync(path.join(folder, id, "run.jsonl"), logText(logs[id]));
    const events = EVENTS[id].map((event, seq) => ({ seq, at: "2026-01-01T00:00:00.000Z", ...event }));
    writeFileSync(path.join(trial, "events.jsonl"), logText(events));
  }
  const written = await cli(["report", "base", "head", "--html", file], { cwd: folder });
  expect(written.code, written.stderr).toBe(0);
  browser = await startBrowser();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(chromiumPath === null)("two runs in an HTML report (skipped without chromium)", () => {
  it("says what `daw-eval diff` says: the verdict in words, the interval, classes, the gate, what is not whole", async () => {
    const { page, complaints } = await openFile(browser, file);
    const [diffed, shown] = [
      await cli(["diff", "base", "head", "--allow-incomplete", "--json"], { cwd: folder }),
      await shownText(page.locator(".comparison")),
    ];
    const { verdict, gate } = z
      .object({ verdict: z.string(), gate: z.object({ reason: z.string() }) })
      .parse(JSON.parse(diffed.stdout));
    expect(shown).toContain(`≈ ${verdict} pass rate 55.6 % → 66.7 %`);
    expect(shown).toContain(gate.reason);
    expect(shown).toMatch(/\+11\.1 points\s+95 % interval −\S+ … \+\S+ · ± \S+ SE/);
    expect(shown).toMatch(/1 · 1 · 1\s+→ 1 · 2 · 0/);
    expect(await shownText(page.locator(".alert").first())).toContain("head is incomplete: it was interrupted");
    expect(complaints).toEqual([]);
  });

  it("lists what changed, the largest change first, and folds what did not", async () => {
    const { page } = await openFile(browser, file);
    const changed = page.getByRole("region", { name: "Changed tasks" }).locator("tbody tr");
    expect(await changed.locator("td:first-child").allInnerTexts()).toEqual(["task_2", "task_1"]);
    expect(await shownText(changed.first())).toMatch(/3\/3\s+▲ \+100\.0\s+broken → solid/);
    expect(await shownText(changed.last())).toMatch(/1\/3\s+▼ −66\.7\s+solid → flaky/);
    await page.getByText("tasks as before: 1").click();
    expect(await shownText(page.getByRole("region", { name: "tasks as before" }))).toContain("task_3");
  });

  it("says where verification stopped, in one run and beside the other", async () => {
    const { page } = await openFile(browser, file, { hash: "#?run=1" });
    const rowsOf = async (nth: number) =>
      (await page.getByRole("region", { name: "Verification of plans" }).nth(nth).locator("tr").allInnerTexts()).map(
        (row) => row.split(/\s*\t\s*/),
      );
    expect(await rowsOf(0)).toEqual([
      ["verification stopped at", "base", "head"],
      ["verdicts passed", "–", "0 of 2"],
      ["structure: no-citation", "–", "1 (50.0 %)"],
      ["goal: partly met", "–", "1 (50.0 %)"],
      ["empty tool results", "–", "1 (25.0 %)"],
    ]);
    expect((await rowsOf(1))[1]).toEqual(["structure: no-citation", "1", "50.0 %"]);
    expect(await shownText(page.locator("main"))).toContain("NOT FULLY VERIFIED: rounds-spent 1");
  });

  it("has claims, discipline and how a task keeps failing as columns, a chart of both runs, and where a trial's time went", async () => {
    const { page } = await openFile(browser, file, { hash: "#?run=1" });
    const row = page.locator("table.tasks tbody tr", { hasText: "task_3" });
    expect(await row.locator("[data-name=claims]").innerText()).toBe("50.0 %");
    expect(await row.locator("[data-name=discipline]").innerText()).toBe("25.0 %");
    const failing = page
      .locator("table.tasks tbody tr", { hasText: "task_4" })
      .locator("[data-name='what went wrong']");
    expect(await failing.innerText()).toBe("stable; 0/2 columns, 2 extra ×3");
    expect(await shownText(page.locator(".sentences").first())).toMatch(
      /2 tasks missed twice or more · 2 the same way each time \(stable\) · 0 in different ways \(noisy\)/,
    );
    const chart = page.getByRole("img", { name: "By run and arm: base 73.3 %, head 60.0 %" });
    expect(await chart.locator("rect").count()).toBe(2);
    await page.getByRole("link", { name: "task_3 #1: passed" }).last().click();
    const widths = await page.locator(".timing span").evaluateAll((pieces) => pieces.map((piece) => piece.clientWidth));
    const [model = 0, tools = 0, other = 0] = widths;
    expect(model / tools).toBeCloseTo(2, 1);
    expect(tools / other).toBeCloseTo(1, 1);
    expect(await shownText(page.locator(".legend"))).toBe("model 2.0 s tools 1.0 s other 1.0 s");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".timing .tools").isVisible()).toBe(true);
    expect(await page.locator(".open-close").isVisible()).toBe(false);
  });

  it("says of each task that is not compared why", async () => {
    const { page } = await openFile(browser, file);
    const rows = await page.getByRole("region", { name: "Not compared" }).locator("tbody tr").allInnerTexts();
    expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
      "task_4 gold or checks changed: score both runs again",
      "task_5 only in base",
      "task_6 only in head",
    ]);
  });

  it("sets trajectories side by side, from the first call that differs", async () => {
    const { page, complaints } = await openFile(browser, file);
    await page.getByRole("link", { name: "task_1: side by side" }).click();
    await page.locator(".beside").waitFor();
    expect(await shownText(page.getByText("First difference").locator(".."))).toBe(
      "First difference: base #4, head #4 (the same calls before it: 1)",
    );
    expect(await page.locator(".beside .target").allInnerTexts()).toEqual([
      expect.stringContaining("SELECT 2"),
      expect.stringContaining("SELECT 3"),
    ]);
    await page.locator(".beside h3 a").last().click();
    await page.locator("#e4").waitFor();
    expect(page.url()).toMatch(/#task_1\/1\?run=1$/);
    await page.getByRole("link", { name: "side by side" }).click();
    await page.locator(".beside").waitFor();
    expect(await page.locator(".beside h3").allInnerTexts()).toEqual(["head", "base"]);
    expect(complaints).toEqual([]);
  });

  it("says so where the other run has no such trial, or no events of it", async () => {
    const { page } = await openFile(browser, file, { hash: "#task_5/1?beside=1" });
    expect(await shownText(page.locator("main"))).toContain("The other run has no such trial.");
    const without = await openFile(browser, file, { hash: "#task_2/2?beside=1" });
    expect(await without.page.getByText("no events of this trial").count()).toBe(2);
  });

  it("speaks Chinese also in verdicts, reasons and what went wrong", async () => {
    const { page } = await openFile(browser, file, { locale: "zh-CN" });
    const words = await shownText(page.locator(".comparison"));
    expect(words).toContain("在噪声范围内 通过率 55.6 % → 66.7 %");
    expect(words).toContain("标准答案或检查已改变：请对两次运行重新评分");
    expect(await shownText(page.locator(".alert").first())).toBe("head 不完整：曾被中断；15 次试验中有 2 次没有结束");
    expect(await shownText(page.locator("table.tasks tbody tr").nth(1))).toContain("匹配 0/2 列，多 2 列 ×3");
  });

  it.each(["light", "dark"] as const)("has no serious fault of accessibility side by side in %s", async (scheme) => {
    const { page } = await openFile(browser, file, { scheme, hash: "#task_1/1?beside=1" });
    await page.evaluate(axe.source);
    const found = z
      .object({ violations: z.array(z.object({ id: z.string(), impact: z.string().nullable() })) })
      .parse(await page.evaluate("axe.run()"));
    expect(found.violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });

  it("unpacks a trajectory only when it is opened, and shows an event of a kind that it does not know with all that it says", async () => {
    const strange = [
      { seq: 0, at: "2026-01-01T00:00:00.000Z", ...started() },
      { seq: 1, at: "2026-01-01T00:00:01.000Z", type: "moon-phase", phase: "<b>full</b>", sql: "SELECT 9" },
    ];
    const block = (id: string, content: string) => `<script type="text/plain" id="${id}">${content}</script>`;
    const replaced = readFileSync(file, "utf8")
      .replace(/<script type="text\/plain" id="trajectory-0-0">[^<]*<\/script>/, () =>
        block(trajectoryElement(0, 0), gzipSync(JSON.stringify({ events: strange, gold: null })).toString("base64")),
      )
      .replace(/<script type="text\/plain" id="trajectory-1-0">[^<]*<\/script>/, () =>
        block(trajectoryElement(1, 0), "spoilt"),
      );
    const other = path.join(folder, "other.html");
    writeFileSync(other, replaced);
    const { page, complaints } = await openFile(browser, other);
    await page
      .getByRole("link", { name: /^task_1 #1/ })
      .first()
      .click();
    await page.locator("#e1").waitFor();
    const event = page.locator("#e1");
    expect(await shownText(event.locator("summary").first())).toContain("moon-phase");
    expect(await shownText(event.locator(".body"))).toMatch(/phase\s+<b>full<\/b>\s+sql\s+SELECT 9/);
    expect(complaints).toEqual([]);
  });
});
