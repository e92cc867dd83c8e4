import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/core/run-record.js";
import { renderMarkdown } from "../../src/report/render-markdown.js";
import { type Paint, renderTerminal } from "../../src/report/render-terminal.js";
import { summariseRun } from "../../src/report/summary.js";
import { textWidth } from "../../src/report/text-width.js";
import { PERFECT, runEnd, runOf, runStart, scoreRecord, trialEnd, WRONG } from "../support/run-records.js";

const plain = (text: string) => text;
const PLAIN: Paint = { good: plain, middling: plain, bad: plain, faint: plain, strong: plain };

async function terminal(records: readonly RunRecord[], columns: number | null = null): Promise<string> {
  return renderTerminal(await summariseRun(records, { metric: "pass_rate", min_pass: null }), {
    paint: PLAIN,
    columns,
  });
}

const VECTOR_A = runOf({ task_1: "111", task_2: "110", task_3: "100", task_4: "000", task_5: "111" });

/** Everything that can happen to a trial, on ids of every script. */
const HARD_RUN: readonly RunRecord[] = [
  ...runOf(
    {
      任务一: "1!!",
      task_with_an_extremely_long_name_that_never_ends_1: "010",
      task_3: "???",
      task_4: "11.",
      zażółć: "000",
    },
    { tasks: { task_3: { gold: null, difficulty: "hard", tags: ["join"] } } },
  ).slice(0, -1),
  scoreRecord("zażółć", 1, { ...WRONG, scorer: "exact-table" }),
  { record: "run-resume", at: "", forced: ["gold or checks of task task_4 changed"], added: [], argv: [] },
  runEnd("interrupted"),
];

/** Golden files are written anew by `npx vitest run test/report -u`, and read as a diff. */
describe("a run on a terminal", () => {
  it("has the people's line of spec/statistics.md", async () => {
    expect((await terminal(VECTOR_A)).split("\n")).toContain(
      "pass rate 60.0 % ± 19.4 (SE by task, 5 tasks × 3) · 95 % CI 6–100 · pass^3 40.0 % · pass@3 80.0 % · solid 2 flaky 2 broken 1 · infra 0/15",
    );
  });

  it("has a line for each line format and claim check that tasks bring along", async () => {
    const rules = [{ name: "sources", required: true, complied: true, line: null }];
    const checks = [{ check: "teams ∈ ledger", state: "red" }];
    const records = [
      ...runOf({ task_1: "1" }).slice(0, -1),
      scoreRecord("task_1", 1, { scorer: "line-format", details: { rules } }),
      scoreRecord("task_1", 1, { scorer: "claims", value: 0, details: { checks } }),
      runEnd(),
    ];
    const text = await terminal(records);
    expect(text).toMatch(/\nline +required +trials +complied +compliance.*\nsources +yes +1 +1 +100\.0 %/);
    expect(text).toMatch(/\nclaim check +passed +red +unchecked\nteams ∈ ledger +0 +1 +0\n/);
    const markdown = renderMarkdown(await summariseRun(records, { metric: "pass_rate", min_pass: null }));
    expect(markdown).toContain(
      "\n| claim check | passed | red | unchecked |\n| --- | --: | --: | --: |\n| teams ∈ ledger | 0 | 1 | 0 |\n",
    );
  });

  it("is as in the golden file", async () => {
    await expect(await terminal(VECTOR_A)).toMatchFileSnapshot("golden/vector-a.txt");
    await expect(await terminal(HARD_RUN)).toMatchFileSnapshot("golden/hard-run.txt");
    await expect(await terminal(HARD_RUN, 40)).toMatchFileSnapshot("golden/hard-run-40-columns.txt");
  });

  it.each([30, 40, 60, 80, 120])(
    "never has a line wider than %i cells where the terminal is so wide",
    async (columns) => {
      const lines = (await terminal(HARD_RUN, columns)).split("\n");
      expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
    },
  );

  it("never shows a rate of valid trials alone beside infra-errors", async () => {
    const line = (await terminal(runOf({ a: "1!!" }))).split("\n").find((one) => one.startsWith("pass rate"));
    expect(line).toBe(
      "pass rate 100.0 % (no SE, 1 task × 3) · no interval from one task · pass^3 – (0 of 1 task) · pass@3 – (0 of 1 task) · solid 0 flaky 0 broken 0 incomplete 1 · valid only 100.0 %, errors as misses 33.3 % · infra 2/3",
    );
  });

  it("says loudly what is not scored", async () => {
    expect(await terminal(runOf({ a: "??" }))).toContain("NOT SCORED: 2 trials of 1 task, in no rate · no gold ×2");
  });

  it("puts the strict scorer beside the lenient one, with what a pass is and λ", async () => {
    const records = [
      runStart({ repeats: 1, tasks: { a: {} } }),
      trialEnd("a", 1, {
        cost_usd: 0.0123,
        usage: [
          {
            purpose: "agent",
            model: "m",
            calls: 3,
            ms: 500,
            input_tokens: 12345,
            output_tokens: 678,
            cached_tokens: 1000,
            reasoning_tokens: null,
          },
        ],
      }),
      scoreRecord("a", 1, PERFECT),
      scoreRecord("a", 1, { ...WRONG, scorer: "exact-table" }),
      runEnd(),
    ];
    const text = await terminal(records);
    expect(text).toContain(
      "mean score kdd-columns 1.000 (perfect 100.0 %) · exact-table 0.000 (perfect 0.0 %) · pass = perfect by kdd-columns · λ 0.1 · names accept",
    );
    expect(text).toContain("tokens 12,345 in (1,000 cached), 678 out · cost $0.012");
  });

  it("prints the λ that scorers applied, where a task's checks set their own", async () => {
    const records = [
      runStart({ repeats: 1, tasks: { a: {}, b: {} } }),
      trialEnd("a", 1),
      scoreRecord("a", 1, { ...PERFECT, details: { penalty: 0.1 } }),
      trialEnd("b", 1),
      scoreRecord("b", 1, { ...PERFECT, details: { penalty: 0.5 } }),
      runEnd(),
    ];
    expect(await terminal(records)).toContain(" · λ 0.1, 0.5 · ");
  });

  it("colours classes and keeps the columns", async () => {
    const summary = await summariseRun(VECTOR_A, { metric: "pass_rate", min_pass: null });
    const paint = { ...PLAIN, good: (text: string) => `\u001b[32m${text}\u001b[39m` };
    const coloured = renderTerminal(summary, { paint, columns: null });
    expect(coloured).toContain("\u001b[32msolid \u001b[39m");
    expect(stripVTControlCharacters(coloured)).toBe(await terminal(VECTOR_A));
  });
});

describe("a run as Markdown", () => {
  it("is as in the golden file", async () => {
    const summary = await summariseRun(HARD_RUN, { metric: "pass_rate", min_pass: null });
    await expect(renderMarkdown(summary)).toMatchFileSnapshot("golden/hard-run-markdown.txt");
  });

  it("escapes what Markdown or HTML would read", async () => {
    const start = { ...runStart({ repeats: 1, tasks: { a: {} } }), run_id: "a|b <script>" };
    const summary = await summariseRun(
      [
        start,
        trialEnd("a", 1),
        scoreRecord("a", 1, { status: "invalid", value: 0, reason: "row | `x`\nof *two*" }),
        runEnd(),
      ],
      {
        metric: "pass_rate",
        min_pass: null,
      },
    );
    const text = renderMarkdown(summary);
    expect(text).toContain("### a\\|b &lt;script>");
    expect(text).toContain("invalid: row \\| \\`x\\` of \\*two\\*");
  });
});
