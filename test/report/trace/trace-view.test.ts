import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TrialEvent, TrialEventBody } from "../../../src/core/event.js";
import { textWidth } from "../../../src/report/text-width.js";
import { sqlLines } from "../../../src/report/trace/sql-lines.js";
import { traceView } from "../../../src/report/trace/trace-view.js";
import { contentLines } from "../../../src/report/trace/value-lines.js";
import { candidate, respond, started, toolReturned } from "../../support/events.js";
import { ANSWERED } from "../../support/run-records.js";
import { LEDGER } from "../../support/validation-events.js";

const same = (text: string) => text;
const paint = { good: same, middling: same, bad: same, faint: same, strong: same };
const withSeq = (bodies: readonly TrialEventBody[]): TrialEvent[] =>
  bodies.map((body, seq) => ({ seq, at: "2026-01-01T00:00:00.000Z", ...body }));
const view = (bodies: readonly TrialEventBody[], columns: number | null, full = false) =>
  traceView(withSeq(bodies), { paint, columns, full });

const SQL =
  "SELECT c.name, count(*) AS n FROM customers AS c LEFT JOIN orders o ON o.customer = c.id WHERE c.city IN (SELECT city FROM towns WHERE size > 3) AND c.note <> 'from where' GROUP BY c.name ORDER BY n DESC LIMIT 5";
const ROWS = Array.from({ length: 12 }, (_, index) => [`顾客${index}`, index * 1000]);
const TRIAL: readonly TrialEventBody[] = [
  started("Which customers of 北京 ordered most?"),
  respond({ calls: ["a", "b", "c"], content: "I look at the orders." }),
  toolReturned("a", {
    args: { queries: [SQL], limit: 200 },
    content: JSON.stringify({ results: [{ ok: true, columns: ["name", "n"], rows: ROWS, row_count: 40 }] }),
    truncated: true,
  }),
  toolReturned("b", {
    tool: "read_doc",
    args: { path: "doc/说明.md" },
    content: JSON.stringify({
      path: "doc/说明.md",
      lines: 30,
      next_line: null,
      text: "# Rules\n\n- a rule\n".repeat(9),
    }),
  }),
  toolReturned("c", {
    ok: false,
    args: { queries: ["SELECT x FROM nowhere"] },
    content: JSON.stringify({ error: "sql-error", message: "no table nowhere" }),
  }),
  respond({ calls: ["d"], tool: "submit_tool_result" }),
  candidate("d", "Four of them."),
  {
    type: "process-validated",
    trigger: "candidate",
    mode: "enforce",
    verdict: "rejected",
    by: "code",
    step: 2,
    inconsistent: false,
    ledger: LEDGER,
    packet_digest: "0123456789abcdef",
    candidate: "candidate-1.csv",
    findings: [{ rule: "unseen-value", level: "red", evidence: ["step_1:call_a"], detail: "'x' was never seen." }],
    issues: [],
    required_next_actions: ["Look at the distinct values."],
    validator_error: null,
    message: "Look at the distinct values.",
  },
  { type: "trial-finished", outcome: ANSWERED, prediction: "trials/main/task_1/1/1/prediction.csv", signature: "s" },
];

describe("the trace of a trial", () => {
  it("is as in the golden files", async () => {
    for (const columns of [40, 80]) {
      await expect(`${view(TRIAL, columns).join("\n")}\n`).toMatchFileSnapshot(`golden/trace-${columns}-columns.txt`);
    }
  });

  it("folds long results and says how to see them, and folds nothing when all is asked for", () => {
    const folded = view(TRIAL, 80);
    expect(folded).toContainEqual(expect.stringMatching(/… 32 more rows/));
    expect(folded).toContainEqual(expect.stringMatching(/… \d+ more lines/));
    expect(folded.at(-1)).toContain("--full");
    const full = view(TRIAL, 80, true);
    expect(full.join("\n").match(/# Rules/g)).toHaveLength(9);
    expect(full.join("\n")).toContain("顾客11");
    expect(full.join("\n")).not.toContain("--full");
  });

  it("shows an event that has no view of its own with all its fields", () => {
    expect(
      view([...TRIAL.slice(0, 1), { type: "trial-suspended", why: "paused", pause: "after-plan" }], 80).slice(-2),
    ).toEqual(["  1 trial suspended", "    why: paused · pause: after-plan"]);
  });

  it("has no line wider than the terminal, and lets nothing through that steers it, whatever tools return", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("任", " ", "\n", "\t", "\u001b[2J", "ab"),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
      maxLength: 80,
    });
    const content = fc.oneof(
      text,
      fc.json(),
      fc
        .record({ columns: fc.array(text, { maxLength: 9 }), rows: fc.array(fc.array(text), { maxLength: 12 }) })
        .map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(content, text, fc.integer({ min: 24, max: 120 }), fc.boolean(), (returned, sql, columns, full) => {
        const trial = [
          started(sql),
          respond({ calls: ["a"], content: returned }),
          toolReturned("a", { args: { queries: [sql], path: returned }, content: returned }),
        ];
        const lines = view(trial, columns, full);
        expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
        expect(lines.join("").includes("\u001b")).toBe(false);
      }),
    );
  });
});

describe("SQL for people", () => {
  it("stays as it is where it fits, and else begins a line at each clause outside parentheses and texts", () => {
    expect(sqlLines(SQL, null)).toEqual([SQL]);
    expect(sqlLines(SQL, 80)).toEqual([
      "SELECT c.name, count(*) AS n",
      "FROM customers AS c",
      "LEFT JOIN orders o ON o.customer = c.id",
      "WHERE c.city IN (SELECT city FROM towns WHERE size > 3) AND c.note <> 'from",
      "  where'",
      "GROUP BY c.name",
      "ORDER BY n DESC",
      "LIMIT 5",
    ]);
  });
});

describe("what a tool returned, for people", () => {
  const lines = (value: unknown, width: number | null = 80) => contentLines(JSON.stringify(value), { width, rows: 8 });

  it("is a table where it is one, with the rows and columns that have no room counted", () => {
    const columns = ["city", "a_long_column", "another_column", "n"];
    const rows = [["Oslo", "long words of a cell", null, 3]];
    expect(lines({ columns, rows, row_count: 1 }, 30)).toEqual([
      "city  a_long_col…  another…  n",
      "Oslo  long words…      NULL  3",
      "1 row",
    ]);
    expect(lines({ columns, rows, row_count: 7 }, 20)).toEqual([
      "city  a_long_column",
      "Oslo  long words of…",
      "… 6 more rows",
      "… 2 more columns",
    ]);
  });

  it("has a record's short fields in a line, texts and lists below, and nothing of what is null", () => {
    expect(
      lines({
        path: "a.md",
        next: null,
        text: "one\ntwo",
        headings: ["A", "B"],
        columns: [{ name: "x" }, { name: "y" }],
      }),
    ).toEqual([
      "path: a.md",
      "text:",
      "  one",
      "  two",
      "headings:",
      "  A, B",
      "columns:",
      "  name",
      "  x",
      "  y",
      "  2 rows",
    ]);
  });
});
