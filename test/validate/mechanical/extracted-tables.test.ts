import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompiledContext } from "../../../src/context/compile.js";
import { lightCatalog } from "../../../src/core/catalog.js";
import type { ToolReturned, TrialStarted } from "../../../src/core/event.js";
import type { Finding } from "../../../src/core/finding.js";
import { overlayOf } from "../../../src/core/overlay.js";
import { checkInput } from "../../../src/validate/mechanical/check-input.js";
import { MECHANICAL_CHECKS } from "../../../src/validate/mechanical/checks.js";
import { evidencePacket } from "../../../src/validate/packet.js";
import { candidate, respond, started, toolReturned } from "../../support/events.js";
import { findingsOf } from "../../support/mechanical.js";
import { profileWith } from "../../support/profile.js";
import { stateAfter } from "../../support/trial.js";
import { type Caller, callerOf, compiled } from "../../tools/tool-fixture.js";

const STOCK = `# Stock

| Fruit | Boxes | Checked |
|-------|-------|---------|
| apple | 2 | 2024-05-01 |
| pear  | 1 | 2024-05-02 |
| plum  | 3 | 2024-05-02 |
`;

let context: CompiledContext;
let caller: Caller;
let extraction: ToolReturned;
beforeAll(async () => {
  context = await compiled({
    "doc/stock.md": STOCK,
    "csv/sales.csv": "fruit,grams\napple,150\napple,170\npear,40\nplum,60\n",
  });
  caller = callerOf(context);
  const args = { path: "doc/stock.md" };
  const { content, table } = await caller.call("extract_structured_doc", args);
  if (table === undefined) throw new Error(content);
  extraction = { ...toolReturned("x", { tool: "extract_structured_doc", args, content }), table };
});
afterAll(() => caller.pool.close());

/** What checks find about SQL that was submitted after these calls, on the data with the extracted tables. */
async function findings(
  sql: string,
  returns: readonly ToolReturned[] = [extraction],
  begin: Pick<TrialStarted, "question" | "language"> = { question: "How much is there?", language: "en" },
): Promise<readonly Finding[]> {
  const opening = { ...started(), catalog: lightCatalog(context.catalog), ...begin };
  const { trajectory } = stateAfter(opening, respond({ calls: returns.map(({ call_id }) => call_id) }), ...returns);
  const plain = candidate("c");
  const submitted = { ...plain, source: { tool: "execute_probe_query", args: { queries: [sql] } } };
  const packet = evidencePacket(trajectory, profileWith({}).process_validation);
  const { facts: _facts, ...input } = checkInput(opening, submitted, { trajectory, packet }, []);
  const worker = caller.pool.worker(context, () => {}, overlayOf(trajectory));
  return (await findingsOf(MECHANICAL_CHECKS, input, worker)).findings;
}

/** Without `not-reproducible`: the candidate of these tests is made up. */
const rules = (found: readonly Finding[]) =>
  found
    .filter(({ rule, level }) => !(rule === "not-reproducible" && level === "red"))
    .map(({ rule, level }) => `${level} ${rule}`);

describe("SQL over a table that the trial extracted", () => {
  it("has been looked at by the extraction itself: table, columns and types are known", async () => {
    expect(rules(await findings("SELECT sum(Boxes) FROM stock_records WHERE Fruit <> 'apple'"))).toEqual([]);
    expect(rules(await findings("SELECT Fruit, Checked, doc_lines FROM stock_records"))).toEqual([]);
  });

  it("is held to its values: one that the table does not have is named with those most like it", async () => {
    const found = await findings("SELECT sum(Boxes) FROM stock_records WHERE Fruit = 'aple'");
    expect(rules(found)).toEqual(["red unseen-value", "red empty-source"]);
    expect(found[0]?.detail).toContain(
      `stock_records.Fruit meets ("Fruit" = 'aple'); the values most like it are "apple"`,
    );
  });

  it("is held to the other rules as any table: filters that leave nothing, joins that repeat", async () => {
    expect(rules(await findings("SELECT sum(Boxes) FROM stock_records WHERE Boxes > 77"))).toEqual([
      "red empty-source",
    ]);
    const joined = "SELECT sum(Boxes) FROM stock_records JOIN sales ON stock_records.Fruit = sales.fruit";
    const probe = toolReturned("p", {
      args: { queries: ["SELECT * FROM sales"] },
      content: '{"results":[{"ok":true,"rows":[["apple","150"]]}]}',
    });
    expect(rules(await findings(joined, [extraction, probe]))).toEqual(["warn unproven-join", "red fan-out"]);
  });

  it("is still unseen where it reads other data that nobody looked at", async () => {
    expect(
      rules(await findings("SELECT sum(grams) FROM sales JOIN stock_records ON stock_records.Fruit = sales.fruit")),
    ).toContain("red unseen-table");
  });

  it("rests on less than the document where lines of it were not read, whatever was probed", async () => {
    const told = JSON.parse(extraction.content);
    const unread = [{ first_line: 40, last_line: 61, why: "the budget" }];
    const part = { ...extraction, truncated: true, content: JSON.stringify({ ...told, prose: { unread } }) };
    const found = await findings("SELECT sum(Boxes) FROM stock_records", [part]);
    expect(rules(found)).toEqual(["red truncated-basis"]);
    expect(found.find(({ rule }) => rule === "truncated-basis")?.detail).toContain(
      "from doc/stock.md in part only, lines 40-61",
    );
  });
});

describe("findings about a question in Chinese", () => {
  const chinese = { question: "一共有多少箱？", language: "zh" } as const;
  it("are said in Chinese, with names, values and SQL as they are", async () => {
    const texts = [
      ...(await findings(
        "SELECT sum(Boxes) FROM stock_records WHERE Fruit = 'aple' OR Fruit = NULL LIMIT 1",
        [extraction],
        chinese,
      )),
      ...(await findings(
        "SELECT sum(Boxes), sum(grams) FROM stock_records JOIN sales ON stock_records.Fruit = sales.fruit",
        [extraction],
        chinese,
      )),
      ...(await findings("SELECT no_such FROM stock_records", [extraction], chinese)),
    ].map(({ rule, detail }) => ({ rule, detail }));
    expect(new Set(texts.map(({ rule }) => rule))).toEqual(
      new Set([
        "unseen-value",
        "unasked-limit",
        "not-reproducible",
        "empty-source",
        "unseen-table",
        "unproven-join",
        "fan-out",
      ]),
    );
    for (const { detail } of texts) {
      expect(detail).toMatch(/\p{Script=Han}{2}/u);
      expect(detail).not.toMatch(/\b(?:submitted|the|Look)\b/);
    }
    expect(texts[0]?.detail).toContain('最相近的值是 "apple"');
  });
});
