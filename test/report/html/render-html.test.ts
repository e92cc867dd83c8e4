import { describe, expect, it } from "vitest";
import { renderHtml } from "../../../src/report/html/render-html.js";
import { cli } from "../../support/cli.js";
import { folderWith } from "../../support/folder.js";
import { logText, runOf } from "../../support/run-records.js";

async function* nothing() {}

describe("renderHtml", () => {
  it("lets no script of a library end the page's script, and names its own by hash", async () => {
    const pieces: string[] = [];
    const page = renderHtml({ version: "1", runs: [], comparison: null }, nothing(), {
      script: 'f("</ScRipt>")',
      style: "a{}",
    });
    for await (const piece of page) pieces.push(piece);
    const html = pieces.join("");
    expect(html).toContain('<script>f("<\\/ScRipt>")</script>');
    expect(html).toMatch(/script-src 'sha256-[A-Za-z0-9+/]{43}='; style-src 'sha256-/);
    expect(html).not.toContain("unsafe");
  });
});

describe("daw-eval report --html", () => {
  it("takes --gold only with --html, and only a folder", async () => {
    const cwd = folderWith({ "one/run.jsonl": logText(runOf({ task_1: "110" })) });
    const alone = await cli(["report", "one", "--gold", "one"], { cwd });
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("goes with --html")]);
    const missing = await cli(["report", "one", "--html", "x.html", "--gold", "nowhere"], { cwd });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("--gold nowhere: no such folder")]);
    const other = await cli(["report", "one", "--html", "x.html", "--gold", "one"], { cwd });
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining("has no folder of any of the run's tasks, e.g. task_1/gold.csv"),
    ]);
  });
});
