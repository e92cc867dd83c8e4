import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/core/run-record.js";
import { compareRuns, type DiffOptions } from "../../../src/report/diff/diff.js";
import { diffMarkdown } from "../../../src/report/diff/diff-markdown.js";
import { renderDiff } from "../../../src/report/diff/diff-terminal.js";
import { junitXml } from "../../../src/report/junit/junit.js";
import { junitOfDiff } from "../../../src/report/junit/junit-diff.js";
import { junitOfRuns } from "../../../src/report/junit/junit-run.js";
import type { Paint } from "../../../src/report/render-terminal.js";
import { gatherFacts } from "../../../src/report/run-facts.js";
import { summariseRun } from "../../../src/report/summary.js";
import { textWidth } from "../../../src/report/text-width.js";
import { runOf, scoreRecord } from "../../support/run-records.js";

const plain = (text: string) => text;
const PLAIN: Paint = { good: plain, middling: plain, bad: plain, faint: plain, strong: plain };
const OPTIONS: DiffOptions = { metric: "pass_rate", fail_on: "worse", margin: 0, arms: [] };

async function compared(records: readonly (readonly RunRecord[])[], options: Partial<DiffOptions> = {}) {
  const [base, ...heads] = await Promise.all(records.map(gatherFacts));
  if (base === undefined) throw new Error("no base");
  return heads.flatMap((head) => compareRuns(base, head, { ...OPTIONS, ...options }).comparisons);
}

const terminal = async (records: readonly (readonly RunRecord[])[], columns: number | null = null) =>
  renderDiff(await compared(records), { paint: PLAIN, columns });

/** Ids of every script, everything that a comparison can say; head is worse. */
const BASE: readonly RunRecord[] = [
  ...runOf(
    {
      任务一: "111",
      task_with_an_extremely_long_name_that_never_ends_1: "111",
      task_3: "111",
      task_4: "110",
      task_5: "111",
      task_6: "111",
      zażółć: "000",
      "task_<b>|`x`": "111",
      gone: "111",
      moved: "111",
    },
    { run_id: "基线", tasks: { moved: { gold: "old" } } },
  ),
  scoreRecord("task_3", 1, { scorer: "claims", basis: "c", value: 1, details: { red: 0 } }),
];
const HEAD: readonly RunRecord[] = [
  ...runOf(
    {
      任务一: "000",
      task_with_an_extremely_long_name_that_never_ends_1: "000",
      task_3: "010",
      task_4: "000",
      task_5: "000",
      task_6: "110",
      zażółć: "001",
      "task_<b>|`x`": "000",
      moved: "111",
      new: "111",
    },
    { run_id: "head-2", gate: { must_pass: ["task_6"] } },
  ),
  scoreRecord("task_3", 1, { scorer: "claims", basis: "c", value: 0, details: { red: 2 } }),
];

/** Golden files are written anew by `npx vitest run test/report -u`, and read as a diff. */
describe("a comparison for people", () => {
  it("is as in the golden files", async () => {
    await expect(await terminal([BASE, HEAD])).toMatchFileSnapshot("golden/diff.txt");
    await expect(await terminal([BASE, HEAD], 60)).toMatchFileSnapshot("golden/diff-60-columns.txt");
    await expect(await terminal([BASE, BASE])).toMatchFileSnapshot("golden/diff-same.txt");
    await expect(await terminal([BASE, HEAD, BASE], 80)).toMatchFileSnapshot("golden/diff-many.txt");
  });

  it.each([40, 60, 80, 120])("never has a line wider than %i cells where the terminal is so wide", async (columns) => {
    for (const runs of [
      [BASE, HEAD],
      [BASE, HEAD, BASE],
    ]) {
      const lines = (await terminal(runs, columns)).split("\n");
      expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
    }
  });

  it("counts the changed tasks that it does not list", async () => {
    const many = (mark: string) =>
      runOf(Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`task_${index}`, mark])));
    const text = await terminal([many("1"), many("0")]);
    expect(text.match(/^task_/gm)).toHaveLength(60);
    expect(text).toContain("… 30 more changed tasks\n");
  });

  it("as Markdown is a comment: the verdict, a short table, folded details, and nothing of an id is markup", async () => {
    const markdown = diffMarkdown(await compared([BASE, HEAD]));
    await expect(markdown).toMatchFileSnapshot("golden/diff-markdown.txt");
    expect(markdown.match(/<details>/g)).toHaveLength(3);
    expect(markdown.match(/<\/details>/g)).toHaveLength(3);
    expect(markdown).not.toContain("<b>");
    const huge = (mark: string) =>
      runOf(Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`task_${"x".repeat(60)}_${index}`, mark])));
    expect(diffMarkdown(await compared([huge("1"), huge("0")])).length).toBeLessThan(65_536);
  });
});

describe("JUnit", () => {
  it("of a comparison has a case a task and one for the gate, and fails only where the gate does", async () => {
    const worse = junitOfDiff(await compared([BASE, HEAD]));
    await expect(worse).toMatchFileSnapshot("golden/diff-junit.txt");
    expect(worse).toContain('<testsuites tests="12" failures="2" errors="0" skipped="3"');
    const same = junitOfDiff(await compared([BASE, BASE]));
    expect(same).toContain('<testsuites tests="11" failures="0" errors="0" skipped="0"');
    const flips = junitOfDiff(await compared([BASE, HEAD], { fail_on: "task-regression" }));
    expect(flips).toMatch(/<testcase name="任务一"[^>]*>\n {6}<failure type="task-regression" message="3\/3 → 0\/3/);
  });

  it("of a run has a case a task: what does not always pass fails, what lacks trials is an error, what has no gold is skipped", async () => {
    const records = runOf({ solid: "111", flaky: "110", broken: "000", torn: "1!!", goldless: "???" });
    const summary = await summariseRun(records, { metric: "pass_rate", min_pass: null });
    const xml = junitOfRuns([summary]);
    await expect(xml).toMatchFileSnapshot("golden/run-junit.txt");
    expect(xml).toContain('<testsuites tests="5" failures="2" errors="1" skipped="1"');
  });

  it("is well-formed whatever stands in names and messages", () => {
    const nasty = `<&"'>]]>\u0000\u001b[31m\ud800\ufffe\n\t中文😀`;
    const xml = junitXml([
      {
        name: nasty,
        cases: [
          {
            name: nasty,
            class_name: nasty,
            seconds: 1,
            result: { kind: "failure", type: nasty, message: nasty },
            output: nasty,
          },
        ],
      },
    ]);
    const shown = "&#60;&#38;&#34;'&#62;]]&#62;��[31m��&#10;&#9;中文😀";
    expect(xml).toContain(`<system-out>${shown}</system-out>`);
    expect(xml).toContain(`message="${shown}"`);
    expect([...xml].filter((one) => one < " " && one !== "\n")).toEqual([]);
  });
});
