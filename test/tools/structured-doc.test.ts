import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompiledContext } from "../../src/context/compile.js";
import { type Caller, callerOf, compiled } from "./tool-fixture.js";

const DRUGS = `# Drugs

Doses as of 2024.

| Code | Dose | Since |
|------|------|-------|
| a    | 500 mg | 2020-01-31 |
| b    | 1.5 g  | 2021-02-28 |

## Withdrawn

- **Code**: c
- **Dose**: 20 mg
- **Reason**: it's "bad"; DROP TABLE drugs

- **Code**: a
- **Dose**: 400 mg
`;
const HUGE = `| id | text |\n|---|---|\n${Array.from({ length: 9000 }, (_, id) => `| ${id} | ${"x".repeat(110)} |\n`).join("")}`;

let context: CompiledContext;
let trial: Caller;

beforeAll(async () => {
  context = await compiled({
    "doc/drugs.md": DRUGS,
    "doc/prose.md": "# Story\n\nOnce upon a time.\n",
    "doc/huge.md": HUGE,
    "csv/prices.csv": "code,price\na,3\nb,5\nc,7\n",
  });
});
afterAll(() => trial.pool.close());

describe("inspect_doc_structure", () => {
  beforeAll(() => {
    trial = callerOf(context);
  });

  it("shows blocks with fields, types, units, keys, and how much of the document they cover", async () => {
    expect(await trial.read("inspect_doc_structure", { path: "drugs.md" })).toEqual({
      path: "doc/drugs.md",
      lines: 17,
      coverage: { records: 4, structured_lines: 10, prose_lines: 1, code_lines: 0, other_lines: 6 },
      blocks: [
        { block: 1, kind: "prose", heading: "Drugs", first_line: 3, last_line: 3 },
        {
          block: 2,
          kind: "table",
          heading: "Drugs",
          first_line: 5,
          last_line: 8,
          records: 2,
          fields: [
            { name: "Code", type: "VARCHAR", unit: null, filled: 2 },
            { name: "Dose", type: "BIGINT", unit: "mg", filled: 2 },
            { name: "Since", type: "DATE", unit: null, filled: 2 },
          ],
          keys: ["Code", "Dose", "Since"],
        },
        {
          block: 3,
          kind: "key-values",
          heading: "Withdrawn",
          first_line: 12,
          last_line: 17,
          records: 2,
          fields: [
            { name: "Code", type: "VARCHAR", unit: null, filled: 2 },
            { name: "Dose", type: "BIGINT", unit: "mg", filled: 2 },
            { name: "Reason", type: "VARCHAR", unit: null, filled: 1 },
          ],
          keys: ["Code", "Dose"],
        },
      ],
    });
  });

  it("makes no table", async () => {
    expect(await trial.call("inspect_doc_structure", { path: "drugs.md" })).not.toHaveProperty("table");
  });
});

describe("extract_structured_doc", () => {
  beforeAll(async () => {
    await trial.pool.close();
    trial = callerOf(context);
  });

  it("makes a table of all records, with lines, one unit, and what contradicts itself", async () => {
    const result = await trial.call("extract_structured_doc", { path: "doc/drugs.md", key: "code" });
    expect(JSON.parse(result.content)).toEqual({
      table: "drugs_records",
      path: "doc/drugs.md",
      row_count: 3,
      merged_records: 1,
      records_without_key: 0,
      conflict_count: 1,
      conflicts: [{ key: "a", field: "Dose", kept: "500", kept_lines: "7", dropped: "400", dropped_lines: "16-17" }],
      columns: [
        { column: "doc_section", type: "VARCHAR" },
        { column: "doc_lines", type: "VARCHAR" },
        { column: "Code", type: "VARCHAR", unit: null, filled: 4 },
        {
          column: "Dose",
          type: "BIGINT",
          unit: "mg",
          converted: [{ written: "g", values: 1, factor: "1000" }],
          filled: 4,
        },
        { column: "Since", type: "DATE", unit: null, filled: 2 },
        { column: "Reason", type: "VARCHAR", unit: null, filled: 1 },
      ],
      preview: [
        ["Drugs", "7; 16-17", "a", "500", "2020-01-31", null],
        ["Drugs", "8", "b", "1500", "2021-02-28", null],
        ["Withdrawn", "12-14", "c", "20", null, 'it\'s "bad"; DROP TABLE drugs'],
      ],
    });
    expect(result).toMatchObject({ ok: true, truncated: false, table: { name: "drugs_records" } });
  });

  it("joins with the data in SQL, typed, and is submitted by SQL", async () => {
    const sql =
      "SELECT d.Code, d.Dose * p.price AS cost, year(d.Since) AS y FROM drugs_records d JOIN prices p ON p.code = d.Code ORDER BY 1";
    expect(await trial.read("execute_probe_query", { queries: [sql] })).toMatchObject({
      results: [
        {
          columns: ["Code", "cost", "y"],
          rows: [
            ["a", "1500", "2020"],
            ["b", "7500", "2021"],
            ["c", "140", null],
          ],
        },
      ],
    });
    const submitted = await trial.call("submit_tool_result", {
      tool_name: "execute_probe_query",
      tool_args: { queries: [sql] },
    });
    expect(submitted).toMatchObject({ ok: true, submission: { table: { types: ["VARCHAR", "BIGINT", "BIGINT"] } } });
  });

  it("cannot be handed in itself", async () => {
    const args = { tool_name: "extract_structured_doc", tool_args: { path: "doc/drugs.md" } };
    expect(await trial.call("submit_tool_result", args)).toMatchObject({ ok: false, error: "bad-arguments" });
  });

  it("takes only the asked blocks and fields, in the asked order, and the key with them", async () => {
    const args = { path: "drugs.md", blocks: [3], fields: ["Reason", "dose"], key: "Code", table: "Withdrawn_1" };
    const { table } = await trial.call("extract_structured_doc", args);
    expect(table?.columns.map(({ name }) => name)).toEqual(["doc_section", "doc_lines", "Code", "Reason", "Dose"]);
    expect(table?.rows.map((row) => row[2])).toEqual(["c", "a"]);
  });

  it("never changes a table: a second extraction has another name", async () => {
    const { table } = await trial.call("extract_structured_doc", { path: "drugs.md", blocks: [2] });
    expect(table?.name).toBe("drugs_records_md");
    for (const name of ["PRICES", "Drugs_Records"]) {
      const args = { path: "drugs.md", table: name };
      expect(await trial.call("extract_structured_doc", args)).toMatchObject({ ok: false, error: "name-taken" });
    }
    const rows = { queries: ["SELECT count(*) FROM drugs_records"] };
    expect(await trial.read("execute_probe_query", rows)).toMatchObject({ results: [{ rows: [["3"]] }] });
  });

  it.each([
    [{ path: "doc/prose.md" }, "no-records", "doc/prose.md has no Markdown table and no key–value list"],
    [{ path: "drugs.md", blocks: [1] }, "fields-needed", "prose has no fields of its own: name the fields"],
    [{ path: "drugs.md", blocks: [9] }, "no-such-block", "doc/drugs.md has 3 blocks, there is no block 9"],
    [{ path: "drugs.md", fields: ["Dosis"] }, "unknown-field", 'did you mean \\"Dose\\"?'],
    [{ path: "drugs.md", key: "x" }, "unknown-field", "no field"],
    [{ path: "drugs.md", table: "pg_x" }, "bad-name", "a name of the system"],
    [{ path: "drugs.md", table: 'x"; --' }, "bad-arguments", "the argument table does not fit"],
    [{ path: "none.md" }, "unknown-document", "there is no document"],
    [{ path: "huge.md" }, "too-large", "no table was made"],
  ])("refuses %j as %s", async (args, error, words) => {
    const result = await trial.call("extract_structured_doc", args);
    expect(result).toMatchObject({ ok: false, error });
    expect(result).not.toHaveProperty("table");
    expect(result.content).toContain(words);
  });
});

describe("an extracted table", () => {
  it("is seen by its trial alone, also where another one asks the same query process", async () => {
    const { pool } = trial;
    const limits = { max_rows: 10, timeout_ms: 30_000 };
    const overlay = (cell: string) => [
      { name: "own", columns: [{ name: "x", type: "BIGINT" as const }], rows: [[cell], [null]] },
    ];
    const workers = ["1", "2"].map((cell) => pool.worker(context, () => {}, overlay(cell)));
    const sql = "SELECT x, typeof(x) FROM own";
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(workers.map((worker) => worker.query(sql, limits)));
      expect(answers.map((answer) => answer.ok && answer.table.rows)).toEqual([
        [
          ["1", "BIGINT"],
          [null, "BIGINT"],
        ],
        [
          ["2", "BIGINT"],
          [null, "BIGINT"],
        ],
      ]);
      expect(await pool.worker(context).query(sql, limits)).toMatchObject({ ok: false, error: { code: "refused" } });
    }
  });

  it("opens nothing else: what was refused before is refused", async () => {
    for (const sql of [
      "SELECT * FROM duckdb_tables()",
      "SELECT * FROM temp.drugs_records",
      "DROP TABLE drugs_records",
    ]) {
      expect(await trial.call("execute_probe_query", { queries: [sql] })).toMatchObject({
        ok: false,
        error: "refused",
      });
    }
  });
});
