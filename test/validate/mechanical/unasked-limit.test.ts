import { afterAll, describe, expect, it } from "vitest";
import { createQueryPool } from "../../../src/context/query-pool.js";
import type { Finding } from "../../../src/core/finding.js";
import type { QueryWorker } from "../../../src/core/ports/query-worker.js";
import { FORM_CHECKS } from "../../../src/validate/form-rules.js";
import type { CheckInput, MechanicalCheck } from "../../../src/validate/mechanical/check.js";
import { runChecks } from "../../../src/validate/mechanical/run-checks.js";
import { unaskedLimit } from "../../../src/validate/mechanical/unasked-limit.js";
import { wordingOf } from "../../../src/validate/wording/wording.js";
import { contextOf } from "../../context/query-fixture.js";
import { candidate, started } from "../../support/events.js";
import { findingsOf } from "../../support/mechanical.js";

const pool = createQueryPool({ max_children: 1 });
afterAll(() => pool.close());
let worker: QueryWorker | null = null;
async function fruitWorker(): Promise<QueryWorker> {
  worker ??= pool.worker(
    await contextOf("f4017000cccccccc", ["CREATE TABLE fruit AS SELECT range AS id FROM range(50)"]),
  );
  return worker;
}

/** A candidate of so many rows that this SQL brought. */
function inputOf(question: string, sql: string, rows: number): Omit<CheckInput, "facts"> {
  const plain = candidate("c");
  const base = started(question);
  const tables = [{ name: "fruit", source: "csv/fruit.csv", rows: 50, columns: [{ name: "id", type: "BIGINT" }] }];
  return {
    started: { ...base, catalog: { ...base.catalog, tables } },
    candidate: { ...plain, candidate: { ...plain.candidate, rows } },
    queries: [sql],
    trajectory: [],
    packet: { schema_version: 2, evidence_items: [], omitted_or_unusable: [] },
    say: wordingOf("en").findings,
  };
}

async function found(
  checks: readonly MechanicalCheck[],
  question: string,
  sql: string,
  rows = 10,
): Promise<readonly Finding[]> {
  return (await findingsOf(checks, inputOf(question, sql, rows), await fruitWorker())).findings;
}

describe("unasked-limit", () => {
  const sql = "SELECT id FROM fruit LIMIT 10";

  it.each([
    ["Which fruit are there?", sql, 10],
    ["Which fruit have the earnest label?", sql, 10],
    ["In which forest do the guests rest?", sql, 10],
    ["有哪些水果？", sql, 10],
    ["Which fruit are there?", "SELECT * FROM (SELECT id FROM fruit LIMIT 10) q", 10],
    ["Which fruit are there?", "WITH few AS (FROM fruit LIMIT 10) SELECT id FROM few", 10],
    ["Which fruit are there?", "SELECT id FROM fruit LIMIT 20%", 10],
    ["Which fruit are there?", "SELECT id FROM fruit LIMIT (SELECT 10)", 10],
    ["Which of the 100 fruit are there?", sql, 10],
  ])("warns of %s answered by %s", async (question, query, rows) => {
    expect(await found([unaskedLimit], question, query, rows)).toMatchObject([
      { rule: "unasked-limit", level: "warn" },
    ]);
  });

  it.each([
    ["What are the top fruit by id?", sql],
    ["Which fruit is the oldest?", "SELECT id FROM fruit ORDER BY id LIMIT 1"],
    ["List ten fruit.", sql],
    ["List 10 fruit.", sql],
    ["Who came second?", "SELECT id FROM fruit ORDER BY id LIMIT 1 OFFSET 1"],
    ["编号最大的水果是哪个？", "SELECT id FROM fruit ORDER BY id DESC LIMIT 1"],
    ["前10个水果", sql],
    ["列出三个水果", "SELECT id FROM fruit LIMIT 3"],
    ["Which fruit are there?", "SELECT id FROM fruit"],
    ["Which fruit are there?", "SELECT id FROM fruit OFFSET 3"],
  ])("has nothing against %s answered by %s", async (question, query) => {
    expect(await found([unaskedLimit], question, query)).toEqual([]);
  });

  it("has nothing against an outermost LIMIT that cut nothing off", async () => {
    expect(
      await found([unaskedLimit], "Which fruit are there?", "SELECT id FROM fruit WHERE id < 5 LIMIT 100", 5),
    ).toEqual([]);
  });

  it("leaves SQL that does not parse to others", async () => {
    expect(await found([unaskedLimit], "Which fruit?", "SELEC id FROM fruit LIMIT 3")).toEqual([]);
  });
});

describe("the checks of form", () => {
  it("call a table that no table was read for typed by hand, whatever it is wrapped in", async () => {
    const rules = async (sql: string) =>
      (await found(FORM_CHECKS, "Which fruit?", sql, 1)).map(({ rule, level }) => [rule, level]);
    expect(await rules("SELECT 4 AS n")).toEqual([["retyped-table", "red"]]);
    expect(await rules("WITH t(x) AS (VALUES ('apple'), ('pear')) SELECT x FROM t")).toEqual([
      ["retyped-table", "red"],
    ]);
    expect(await rules("SELECT * FROM range(3)")).toEqual([["retyped-table", "red"]]);
    expect(await rules("SELECT count(*) FROM Fruit")).toEqual([]);
    expect(await rules("WITH t AS (SELECT id FROM fruit) SELECT * FROM t")).toEqual([]);
  });
});

describe("running checks", () => {
  it("asks for the same query of several checks once, all checks in one round", async () => {
    const input = inputOf("Which fruit?", "SELECT id FROM fruit LIMIT 3", 3);
    const run = await findingsOf([unaskedLimit, unaskedLimit], input, await fruitWorker());
    expect(run.rounds).toBe(1);
    expect(run.findings).toHaveLength(2);
  });

  it("tells a check apart that asks for what it was told: a bug, not a loop", async () => {
    const stubborn: MechanicalCheck = () => ({ need: [{ sql: "SELECT 1", answer: "rows" }] });
    await expect(findingsOf([stubborn], inputOf("?", "SELECT 1", 1), await fruitWorker())).rejects.toThrow(
      /needs nothing/,
    );
  });

  it("hands over rows, trees and signatures, and failures as answers", async () => {
    const seen: unknown[] = [];
    const curious: MechanicalCheck = ({ facts }) => {
      const need = (["rows", "tree", "signature"] as const)
        .flatMap((answer) => ["SELECT 1 AS one", "SELECT nothing"].map((sql) => ({ sql, answer })))
        .filter(({ sql, answer }) => !facts.has(sql, answer));
      if (need.length > 0) return { need };
      for (const sql of ["SELECT 1 AS one", "SELECT nothing"])
        seen.push(facts.rows(sql), facts.tree(sql), facts.signature(sql));
      return { findings: [] };
    };
    const { rounds } = await findingsOf([curious], inputOf("?", "SELECT 1", 1), await fruitWorker());
    expect(rounds).toBe(3);
    expect(seen).toMatchObject([
      { ok: true, table: { columns: ["one"], rows: [["1"]] } },
      { ok: true, tree: { type: "SELECT_NODE" } },
      { ok: true, columns: ["one"], rows: 1, signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { ok: false, error: { code: "sql-error" } },
      { ok: true },
      { ok: false, error: { code: "sql-error" } },
    ]);
  });

  it("asks nothing of a candidate without SQL", () => {
    const input = { ...inputOf("?", "", 1), queries: [] };
    const facts = { rows: () => null, tree: () => null, signature: () => null, has: () => false };
    expect(runChecks([unaskedLimit], { ...input, facts }, "process")).toEqual({ done: true, findings: [] });
  });
});
