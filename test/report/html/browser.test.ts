import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { chromiumPath, openFile, startBrowser } from "../../support/browser.js";
import { cli } from "../../support/cli.js";
import { writeTask } from "../../support/suite.js";

const EVIL = `How many fruit are red? <img src="x" onerror="document.title='owned'"><script>document.title='owned'</script>`;

const folder = mkdtempSync(path.join(os.tmpdir(), "daw-eval-html-"));
const report = path.join(folder, "report.html");
const withGold = path.join(folder, "gold.html");
const two = path.join(folder, "two.html");
let browser: Browser;

/** A run of three tasks, one that fails and one whose words are markup, by the real command line; and pages of it. */
beforeAll(async () => {
  if (chromiumPath === null) return;
  const suite = path.join(folder, "suite");
  await writeTask(suite, { task_id: "task_2", question: EVIL, gold: "n\n1\n" });
  await writeTask(suite, { task_id: "task_10", question: "What is the average of grams?", gold: "average\n120\n" });
  await writeTask(suite, { task_id: "task_7", gold: "colour\nviolet\n" });
  for (const id of ["one", "other"]) {
    const run = await cli(["run", "suite", "--run-id", id, "-n", "2", "--cache-dir", "cache"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
  }
  for (const args of [
    ["one", "--html", report],
    ["one", "--html", withGold, "--gold", "suite"],
    ["one", "other", "--html", two],
  ]) {
    const written = await cli(["report", ...args], { cwd: folder });
    expect(written.code, written.stderr).toBe(0);
  }
  browser = await startBrowser();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const taskIds = (page: Page) => page.locator("table.tasks tbody tr:visible th .name").allTextContents();

describe.skipIf(chromiumPath === null)("an HTML report in a browser (skipped without chromium)", () => {
  it("opens from disk, complains about nothing and asks for nothing but itself", async () => {
    const { page, complaints, requests } = await openFile(browser, report);
    await page.locator("svg.chart").first().waitFor();
    expect(await page.locator("svg.chart").count()).toBeGreaterThanOrEqual(4);
    await page.locator("a.dot").first().click();
    await page.locator(".events").waitFor();
    expect(complaints).toEqual([]);
    expect(requests).toEqual([pathToFileURL(report).href]);
  });

  it("sorts tasks by a header, in natural order, and back", async () => {
    const { page } = await openFile(browser, report);
    const header = page.locator("table.tasks thead button").first();
    await header.click();
    expect(await taskIds(page)).toEqual(["task_2", "task_7", "task_10"]);
    await header.click();
    expect(await taskIds(page)).toEqual(["task_10", "task_7", "task_2"]);
    expect(await page.locator("th[aria-sort=descending]").textContent()).toBe("task");
  });

  it("filters tasks by words and by class", async () => {
    const { page } = await openFile(browser, report);
    await page.keyboard.press("/");
    await page.keyboard.type("TASK_7");
    expect(await taskIds(page)).toEqual(["task_7"]);
    await page.locator("#filter").fill("");
    await page.locator("#class").selectOption("broken");
    expect(await taskIds(page)).toContain("task_7");
    expect(await page.getByText(/^\d \/ 3 tasks shown$/).textContent()).toBe(
      `${(await taskIds(page)).length} / 3 tasks shown`,
    );
  });

  it("opens a trajectory: calls, SQL, the result's table, the candidate, tokens", async () => {
    const { page } = await openFile(browser, report);
    await page.getByRole("link", { name: /^task_7 #2:/ }).click();
    await page.locator(".events").waitFor();
    expect(await page.locator("h2").first().textContent()).toContain("task_7 #2");
    expect(await page.locator(".events .sql-keyword").first().textContent()).toMatch(/select/i);
    expect(await page.locator(".events .candidate-submitted td").count()).toBeGreaterThan(0);
    expect(await page.getByRole("region", { name: "tokens" }).textContent()).toContain("lexical");
  });

  it("follows a deep link to an event, and keys walk on from there", async () => {
    const { page } = await openFile(browser, report, { hash: "#task_10/2/3" });
    await page.locator("#e3.target").waitFor();
    expect(await page.locator(":focus").getAttribute("id")).toBe("e3");
    await page.keyboard.press("j");
    expect(await page.locator(":focus").getAttribute("id")).toBe("e4");
    await page.keyboard.press("p");
    await page.getByRole("heading", { name: "task_10 #1" }).waitFor();
    await page.keyboard.press("o");
    await page.locator("table.tasks").waitFor();
  });

  it("says so where a link points to no trial", async () => {
    const { page, complaints } = await openFile(browser, report, { hash: "#task_99/1/%E0%A4%A" });
    expect(await page.locator("main").textContent()).toContain("no such trial");
    expect(complaints).toEqual([]);
  });

  it("shows markup in a question as text and runs none of it", async () => {
    const { page, complaints } = await openFile(browser, report, { hash: "#task_2/1" });
    await page.locator(".events").waitFor();
    expect(await page.locator("blockquote").textContent()).toBe(EVIL);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toContain("owned");
    expect(complaints).toEqual([]);
  });

  it("runs no script but its own, by its policy", async () => {
    const html = readFileSync(report, "utf8").replace("</body>", "<script>document.title = 'owned'</script></body>");
    const file = path.join(folder, "tampered.html");
    writeFileSync(file, html);
    const { page, complaints } = await openFile(browser, file);
    expect(await page.title()).not.toContain("owned");
    expect(complaints.join()).toContain("Content Security Policy");
  });

  it("holds gold only where it was asked for, and then says which columns differ and where", async () => {
    const plain = await openFile(browser, report, { hash: "#task_7/1" });
    await plain.page.locator(".events").waitFor();
    expect(await plain.page.locator("main").textContent()).not.toContain("violet");
    const { page } = await openFile(browser, withGold, { hash: "#task_7/1" });
    const gold = page.getByRole("region", { name: "Answer against gold" }).last();
    expect(await gold.textContent()).toContain("violet");
    expect(await gold.textContent()).toContain("differs");
  });

  it("sets two runs side by side, each dot a link to its own run's trial", async () => {
    const { page, complaints } = await openFile(browser, two);
    await page.getByText("tasks as before: 3").click();
    const same = page.getByRole("region", { name: "tasks as before" });
    await same.locator("tbody tr").first().locator("td").nth(2).locator("a").first().click();
    await page.locator(".events").waitFor();
    expect(page.url()).toContain("run=1");
    expect(complaints).toEqual([]);
  });

  it("speaks Chinese to a Chinese reader, and English at a click", async () => {
    const { page } = await openFile(browser, report, { locale: "zh-CN" });
    await page.getByRole("heading", { name: "概览" }).waitFor();
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  it.each([1280, 768, 360])("never scrolls sideways as a whole at %i px", async (width) => {
    for (const hash of ["", "#task_7/1"]) {
      const { page } = await openFile(browser, report, { width, hash });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });

  it.each(["light", "dark"] as const)("has no serious fault of accessibility in %s", async (scheme) => {
    for (const hash of ["", "#task_7/1/3"]) {
      const { page } = await openFile(browser, two, { scheme, hash });
      await page.evaluate(axe.source);
      const found = z
        .object({
          violations: z.array(
            z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
          ),
        })
        .parse(await page.evaluate("axe.run()"));
      const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  });
});
