import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompiledContext } from "../../../src/context/compile.js";
import { knowledgeOf } from "../../../src/context/documents.js";
import { createQueryPool, type QueryPool } from "../../../src/context/query-pool.js";
import { lightCatalog } from "../../../src/core/catalog.js";
import type { CandidateSource, DataQueried } from "../../../src/core/event.js";
import type { Finding } from "../../../src/core/finding.js";
import { checkData } from "../../../src/run/check-data.js";
import { checkInput } from "../../../src/validate/mechanical/check-input.js";
import { MECHANICAL_CHECKS } from "../../../src/validate/mechanical/checks.js";
import { runChecks } from "../../../src/validate/mechanical/run-checks.js";
import { evidencePacket } from "../../../src/validate/packet.js";
import { candidate, respond, started, toolReturned } from "../../support/events.js";
import { profileWith } from "../../support/profile.js";
import { stateAfter } from "../../support/trial.js";
import { compiled } from "../../tools/tool-fixture.js";

const KNOWLEDGE = `# Shop

orders.csv has order_no, customer, paid_on, booked_on and amount; customers.csv has customer and city.

How a refund is counted is written in doc/refunds.md.
`;

let context: CompiledContext;
let pool: QueryPool;
beforeAll(async () => {
  pool = createQueryPool({ max_children: 1 });
  context = await compiled({
    "csv/orders.csv":
      "order_no,customer,paid_on,booked_on,amount\n1,Ann,2024-01-02,2024-01-03,5\n2,Bob,2024-02-02,2024-02-03,7\n3,Ann,2024-03-02,2024-03-05,9\n",
    "csv/customers.csv": "customer,city,discount\nAnn,Oslo,3\nBob,Rome,4\n",
    "doc/refunds.md": "# Refunds\n\nA refund is negative.\n",
    "knowledge.md": KNOWLEDGE,
  });
});
afterAll(() => pool.close());

/** All findings of the checks on a candidate of this source, with real answers to what they ask. */
async function findings(question: string, source: CandidateSource, before = [toolReturned("a")]): Promise<Finding[]> {
  const { tools, process_validation } = profileWith({});
  const begin = { ...started(question), catalog: lightCatalog(context.catalog), knowledge: await knowledgeOf(context) };
  const submitted = { ...candidate("c"), source };
  const { trajectory } = stateAfter(begin, respond({ calls: before.map(({ call_id }) => call_id) }), ...before);
  const events: DataQueried[] = [];
  for (;;) {
    const outcome = runChecks(
      MECHANICAL_CHECKS,
      checkInput(begin, submitted, { trajectory, packet: evidencePacket(trajectory, process_validation) }, events),
      "process",
    );
    if (outcome.done) return [...outcome.findings];
    const { answer, queries, validator, why } = outcome.effect;
    const worker = pool.worker(context);
    const signal = new AbortController().signal;
    const results = await Promise.all(queries.map((sql) => checkData(sql, answer, worker, { tools, signal })));
    events.push({ type: "data-queried", validator, why, answer, queries, results, ms: 1 });
  }
}

const sql = (text: string): CandidateSource => ({ tool: "execute_probe_query", args: { queries: [text] } });
const python = (...queries: string[]): CandidateSource => ({
  tool: "execute_python",
  args: { code: "print(1)" },
  queries: queries.map((text) => ({ sql: text, rows: 1 })),
});
const rules = (found: readonly Finding[]) => found.map(({ rule, level }) => `${level} ${rule}`);

describe("a Python submission", () => {
  it("is checked by every query that it issued, and its LIMIT is no limit of the answer", async () => {
    const found = await findings(
      "What did Ann pay?",
      python("SELECT amount FROM orders WHERE customer = 'Anne'", "SELECT discount FROM customers LIMIT 1"),
    );
    expect(rules(found)).toEqual(expect.arrayContaining(["red unseen-column", "red unseen-value", "red empty-source"]));
    expect(rules(found)).not.toContain("warn unasked-limit");
    expect(rules(found).join()).not.toContain("not-reproducible");
  });

  it("has seen the tables that Python showed it before", async () => {
    const shown = { tool: "execute_python", queries: [{ sql: "SELECT discount FROM customers", rows: 2 }] };
    const found = await findings("What discount?", python("SELECT discount FROM customers"), [
      toolReturned("a", shown),
    ]);
    expect(rules(found)).not.toContain("red unseen-column");
  });
});

describe("document-ignored", () => {
  const refunds = "What is the sum of all refunds?";
  it("warns where knowledge.md names a document for what is asked and it was not read", async () => {
    expect(rules(await findings(refunds, sql("SELECT sum(amount) FROM orders WHERE amount < 0")))).toContain(
      "warn document-ignored",
    );
  });

  it("is silent once it was read, and for a question about something else", async () => {
    const read = toolReturned("a", { tool: "read_doc", args: { path: "doc/refunds.md" }, content: "{}" });
    const answer = sql("SELECT sum(amount) FROM orders");
    expect(rules(await findings(refunds, answer, [read]))).not.toContain("warn document-ignored");
    expect(rules(await findings("What did Ann pay?", answer))).not.toContain("warn document-ignored");
  });
});

describe("similar-columns", () => {
  it("notes a used column beside another of its kind, for reports only", async () => {
    const found = await findings(
      "How much in March 2024?",
      sql("SELECT sum(amount) FROM orders WHERE month(paid_on) = 3"),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ rule: "similar-columns", level: "note", detail: expect.stringContaining("paid_on") }),
    );
  });
});

describe("unseen-value", () => {
  it("names the nearest values of the column", async () => {
    const [found] = (
      await findings("Orders of the first customer?", sql("SELECT * FROM orders WHERE customer = 'Bobb'"))
    ).filter(({ rule }) => rule === "unseen-value");
    expect(found).toMatchObject({ level: "red", detail: expect.stringContaining('"Bob"') });
  });
});

describe("not-reproducible", () => {
  it("is red where the source, run again, brings another signature or fails", async () => {
    expect(rules(await findings("How many?", sql("SELECT count(*) FROM orders")))).toContain("red not-reproducible");
    expect(rules(await findings("How many?", sql("SELECT no_such FROM orders")))).toContain("red not-reproducible");
  });
});
