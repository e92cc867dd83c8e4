import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrialEventBody } from "../../../src/core/event.js";
import type { ProcessValidated } from "../../../src/core/event-validation.js";
import { chromiumPath, openFile, startBrowser } from "../../support/browser.js";
import { cli } from "../../support/cli.js";
import { candidate, respond, started, toolReturned } from "../../support/events.js";
import { folderWith } from "../../support/folder.js";
import { logText, runOf } from "../../support/run-records.js";
import { LEDGER } from "../../support/validation-events.js";

const REJECTED: ProcessValidated = {
  type: "process-validated",
  trigger: "candidate",
  mode: "enforce",
  verdict: "rejected",
  by: "code",
  step: 2,
  inconsistent: false,
  ledger: LEDGER,
  packet_digest: "p",
  candidate: "candidate-1.csv",
  findings: [{ rule: "unseen-value", level: "red", evidence: ["step_1:call_a"], detail: "'crimson' was never seen." }],
  issues: ["The value in step_1:call_a is another one, and step_9:call_z is none of this trial."],
  required_next_actions: ["Look at the distinct values."],
  validator_error: null,
  message: "Look at the distinct values.",
};

const EVENTS: readonly TrialEventBody[] = [
  started("<b>How many?</b>"),
  respond({ calls: ["a"], content: "I look at <i>it</i>." }),
  toolReturned("a", {
    truncated: true,
    args: { queries: ["SELECT '<u>' AS x -- why"] },
    content: JSON.stringify({
      results: [{ ok: true, columns: ["<s>x</s>"], rows: [["<u>1</u>"], [null]], row_count: 2 }],
    }),
  }),
  toolReturned("b", { ok: false, content: "no such table" }),
  respond({ calls: ["c"] }),
  candidate("c"),
  REJECTED,
];

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath !== null) browser = await startBrowser();
});
afterAll(() => browser?.close());

async function reportOf(events: readonly TrialEventBody[] | null): Promise<string> {
  const lines = (events ?? []).map((event, seq) =>
    JSON.stringify({ seq, at: new Date(Date.UTC(2026, 0, 1) + seq).toISOString(), ...event }),
  );
  const files =
    events === null ? {} : { "one/trials/main/task_1/1/1/events.jsonl": lines.map((line) => `${line}\n`).join("") };
  const folder = folderWith({ "one/run.jsonl": logText(runOf({ task_1: "110", task_2: "0!?" })), ...files });
  const file = path.join(folder, "report.html");
  const { code, stderr } = await cli(["report", "one", "--html", file], { cwd: folder });
  expect(code, stderr).toBe(0);
  return file;
}

describe.skipIf(chromiumPath === null)("a trajectory in an HTML report (skipped without chromium)", () => {
  it("links findings and issues to the evidence that they cite, and no id that cites nothing", async () => {
    const { page, complaints } = await openFile(browser, await reportOf(EVENTS), { hash: "#task_1/1" });
    const check = page.locator(".process-validated");
    await check.waitFor();
    expect(await check.locator("summary").first().textContent()).toContain("✗ rejected");
    expect(await check.getByRole("link").allTextContents()).toEqual(["step_1:call_a", "step_1:call_a"]);
    await check.getByRole("link").first().click();
    await page.locator("#e2.target").waitFor();
    expect(complaints).toEqual([]);
  });

  it("says what was cut and what failed, in words", async () => {
    const { page } = await openFile(browser, await reportOf(EVENTS), { hash: "#task_1/1" });
    expect(await page.locator("#e2 summary").first().textContent()).toContain("cut: the model saw only a part");
    expect(await page.locator("#e3 summary").first().textContent()).toContain("✗ sql-error");
  });

  it("shows a result as a table, NULL as such, and all markup in data as text", async () => {
    const { page } = await openFile(browser, await reportOf(EVENTS), { hash: "#task_1/1" });
    const result = page.locator("#e2 .result");
    expect(await result.locator("th").allTextContents()).toEqual(["<s>x</s>"]);
    expect(await result.locator("td").allTextContents()).toEqual(["<u>1</u>", "NULL"]);
    expect(await page.locator("#e2 .sql-comment").textContent()).toBe("-- why");
    expect(await page.locator("main :is(b, i, u, s)").count()).toBe(0);
  });

  it("opens everything for print, in dark letters also where the screen is dark", async () => {
    const { page } = await openFile(browser, await reportOf(EVENTS), { hash: "#task_1/1", scheme: "dark" });
    const letters = () => page.evaluate("getComputedStyle(document.body).color");
    expect(await letters()).toBe("rgb(230, 237, 243)");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await letters()).toBe("rgb(27, 31, 36)");
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("button", { name: "Close all" }).click();
    expect(await page.locator("details[open]").count()).toBe(0);
    await page.pdf();
    expect(await page.locator("details:not([open])").count()).toBe(0);
  });

  it("shows all but trajectories of a log on its own", async () => {
    const { page, complaints } = await openFile(browser, await reportOf(null));
    expect(await page.locator(".dots").first().textContent()).toBe("●●○");
    expect(await page.locator(".dots").nth(1).textContent()).toBe("○!?");
    await page.locator("a.dot").first().click();
    await page.getByText("no events of this trial").waitFor();
    expect(complaints).toEqual([]);
  });
});
