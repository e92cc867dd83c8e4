import { describe, expect, it } from "vitest";
import type { RunRecord, ScoreRecord, TrialEnd } from "../../src/core/run-record.js";
import type { ArmSummary } from "../../src/report/arm-summary.js";
import { renderMarkdown } from "../../src/report/render-markdown.js";
import { renderTerminal } from "../../src/report/render-terminal.js";
import { type RunSummary, summariseRun } from "../../src/report/summary.js";
import { PERFECT, runEnd, runOf, runStart, scoreRecord, trialEnd, WRONG } from "../support/run-records.js";

const summaryOf = (records: readonly RunRecord[]): Promise<RunSummary> =>
  summariseRun(records, { metric: "pass_rate", min_pass: null });

async function armOf(records: readonly RunRecord[]): Promise<ArmSummary> {
  const [arm] = (await summaryOf(records)).arms;
  if (arm === undefined) throw new Error("no arm");
  return arm;
}

const plain = (text: string) => text;
const PAINT = { good: plain, middling: plain, bad: plain, faint: plain, strong: plain };
const terminal = (summary: RunSummary) => renderTerminal(summary, { paint: PAINT, columns: null });

describe("the split by path", () => {
  const RECALL: Partial<TrialEnd> = { path: "recall", tools: { submit_tool_result: 1 }, wall_ms: 2000 };
  const records = [
    runStart({ repeats: 2, tasks: { a: {}, b: {} } }),
    trialEnd("a", 1, RECALL),
    scoreRecord("a", 1, PERFECT),
    trialEnd("a", 2, { tools: { execute_probe_query: 4, submit_tool_result: 1 }, wall_ms: 6000 }),
    scoreRecord("a", 2, WRONG),
    trialEnd("b", 1, RECALL),
    scoreRecord("b", 1, PERFECT),
    trialEnd("b", 2, RECALL),
    scoreRecord("b", 2, WRONG),
    runEnd(),
  ];

  it("sets trials that looked before they answered against those that did not: passes, tools, seconds", async () => {
    const { by_path } = await armOf(records);
    expect(by_path).toMatchObject([
      // Task a passed 1 of 1 this way, b 1 of 2: a task's tries count as one.
      {
        path: "recall",
        valid_trials: 3,
        passes: 2,
        rated_tasks: 2,
        mean: 0.75,
        median_tool_calls: 1,
        median_seconds: 2,
      },
      {
        path: "recompute",
        valid_trials: 1,
        passes: 0,
        rated_tasks: 1,
        mean: 0,
        median_tool_calls: 5,
        median_seconds: 6,
      },
    ]);
    expect(by_path[1]?.tools).toEqual({ execute_probe_query: 4, submit_tool_result: 1 });
  });

  it("is a table where there are two paths, and none where there is one", async () => {
    const summary = await summaryOf(records);
    expect(terminal(summary)).toMatch(
      /\nby path +tasks +trials +mean +SE +95 % CI +tool calls +s\nrecall +2 +3 +75\.0 % .* 1 +2\.0\n/,
    );
    expect(renderMarkdown(summary)).toContain("| recompute | 1 | 1 | 0.0 % | – | – | 5 | 6.0 |");
    expect(terminal(await summaryOf(runOf({ a: "11" })))).not.toContain("by path");
  });
});

describe("failures of a task", () => {
  /** One task whose tries all missed with these scores. */
  const missed = (...tries: readonly (readonly Partial<ScoreRecord>[])[]): RunRecord[] => [
    runStart({ repeats: tries.length, tasks: { a: {} } }),
    ...tries.flatMap((scores, index) => [
      trialEnd("a", index + 1, { signature: `wrong ${index}` }),
      ...scores.map((score) => scoreRecord("a", index + 1, score)),
    ]),
    runEnd(),
  ];
  const partial = (...positions: number[]): Partial<ScoreRecord> => ({
    status: "partial",
    value: 0.5,
    details: { matched_columns: 1, gold_columns: 2, extra_columns: 0, missed_gold_columns: positions },
  });
  const lines = (complied: boolean): Partial<ScoreRecord> => ({
    scorer: "line-format",
    details: { rules: [{ name: "sources", required: true, complied }] },
  });
  const red: Partial<ScoreRecord> = {
    scorer: "claims",
    value: 0,
    details: { checks: [{ check: "teams", state: "red" }], red: 1 },
  };

  it("are stable where the same columns are wrong each time, and noisy where other ones are", async () => {
    expect((await armOf(missed([partial(1)], [partial(1)]))).tasks[0]).toMatchObject({
      failures: "stable",
      failure_modes: [{ mode: "gold columns 2 missed", trials: 2 }],
    });
    expect((await armOf(missed([partial(1)], [partial(0)], [partial(0)]))).tasks[0]).toMatchObject({
      failures: "noisy",
      failure_modes: [
        { mode: "gold columns 1 missed", trials: 2 },
        { mode: "gold columns 2 missed", trials: 1 },
      ],
    });
  });

  it("are of outcome, red claims and missing lines too", async () => {
    const [task] = (await armOf(missed([partial(1), lines(false), red], [partial(1), lines(true)]))).tasks;
    expect(task).toMatchObject({
      failures: "noisy",
      failure_modes: [
        { mode: "gold columns 2 missed + red: teams + line missing: sources", trials: 1 },
        { mode: "gold columns 2 missed", trials: 1 },
      ],
    });
    const stopped = trialEnd("a", 1, { outcome: { kind: "limit-reached", limit: "tokens" } });
    const both = missed([{ status: "missing", value: 0, reason: "no prediction" }], [partial(1)]).map((record) =>
      record.record === "trial-end" && record.k === 1 ? stopped : record,
    );
    expect((await armOf(both)).tasks[0]?.failure_modes.map(({ mode }) => mode)).toEqual([
      "limit reached: tokens",
      "gold columns 2 missed",
    ]);
  });

  it("say nothing of a single miss, of passes, or of what is not the agent's", async () => {
    const arm = await armOf(runOf({ one: "110", passed: "111", down: "0!!" }));
    expect(arm.tasks.map(({ failures }) => failures)).toEqual([null, null, null]);
    expect(arm).toMatchObject({ stable_failures: 0, noisy_failures: 0 });
    expect(arm.tasks[1]?.failure_modes).toEqual([]);
  });

  it("are counted in a sentence and marked beside what went wrong", async () => {
    const text = terminal(await summaryOf(missed([partial(1)], [partial(1)])));
    expect(text).toContain(
      "\n1 task missed twice or more · 1 the same way each time (stable) · 0 in different ways (noisy)\n",
    );
    expect(text).toContain("stable; 2× 1/2 columns");
  });
});

describe("several arms", () => {
  it("stand in one table, a row each, with their own intervals", async () => {
    const arms = ["hot", "cold"];
    const start = { ...runStart({ repeats: 2, tasks: { a: {}, b: {} } }), arms };
    const trial = (arm: string, task: string, k: number, right: boolean) => [
      { ...trialEnd(task, k), arm },
      { ...scoreRecord(task, k, right ? PERFECT : WRONG), arm },
    ];
    const summary = await summaryOf([
      start,
      ...["a", "b"].flatMap((task) =>
        [1, 2].flatMap((k) => [...trial("hot", task, k, task === "a" && k === 1), ...trial("cold", task, k, true)]),
      ),
      runEnd(),
    ]);
    expect(terminal(summary)).toMatch(
      /\nby arm +tasks +trials +mean +SE +95 % CI +pass\^2 +steps +s\nhot +2 +4 +25\.0 % +25\.0 +0–100 +0\.0 % +3 +1\.0\ncold +2 +4 +100\.0 % +0\.0 .*100\.0 %/,
    );
    expect(renderMarkdown(summary)).toContain(
      "| by arm | tasks | trials | mean | SE | 95 % CI | pass^2 | steps | s |\n",
    );
    expect(terminal(await summaryOf(runOf({ a: "1" })))).not.toContain("by arm");
  });
});

describe("the split by difficulty and tag", () => {
  it("stands in Markdown as on the terminal", async () => {
    const markdown = renderMarkdown(
      await summaryOf(
        runOf(
          { a: "11", b: "10" },
          { tasks: { a: { difficulty: "easy" }, b: { difficulty: "hard", tags: ["join"] } } },
        ),
      ),
    );
    expect(markdown).toContain(
      "| by difficulty | tasks | trials | mean | SE | 95 % CI |\n| --- | --: | --: | --: | --: | --: |\n| easy | 1 | 2 | 100.0 % | – | – |\n| hard | 1 | 2 | 50.0 % | – | – |\n",
    );
    expect(markdown).toContain(
      "| by tag | tasks | trials | mean | SE | 95 % CI |\n| --- | --: | --: | --: | --: | --: |\n| join | 1 | 2 | 50.0 % | – | – |\n",
    );
  });
});
