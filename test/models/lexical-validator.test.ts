import { describe, expect, it } from "vitest";
import type { CandidateSubmitted, TrialEventBody } from "../../src/core/event.js";
import type { Finding } from "../../src/core/finding.js";
import type { ModelConfig } from "../../src/core/profile.js";
import { createLexicalModel } from "../../src/models/lexical/lexical-model.js";
import { answerRequest } from "../../src/validate/answer-request.js";
import { evidencePacket } from "../../src/validate/packet.js";
import { parseProcessReply } from "../../src/validate/process-reply.js";
import { processRequest } from "../../src/validate/process-request.js";
import { parseReply } from "../../src/validate/reply-json.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { NO_IMAGES } from "../support/images.js";
import { profileWith } from "../support/profile.js";
import { stateAfter } from "../support/trial.js";

const profile = profileWith({});
const model = createLexicalModel(profile.model satisfies ModelConfig);
const call = {
  signal: new AbortController().signal,
  on_retry: async () => {},
  on_wait: () => {},
  asked_before: 0,
  images: NO_IMAGES,
};
const SQL = "SELECT 4 AS n";
const probe = toolReturned("a", { args: { queries: [SQL], limit: 200 } });
const listing = (...paths: string[]) =>
  toolReturned("l", {
    tool: "list_context",
    content: JSON.stringify({ tables: [], documents: paths.map((path) => ({ path })) }),
  });

/** The embedded baseline's verdict on a trial that did this, as the process validator reads it. */
async function auditOf(
  knowledge: string | null,
  returns: readonly TrialEventBody[],
  findings: readonly Finding[] = [],
  question?: string,
) {
  const opening = { ...started(question), knowledge };
  const calls = returns.map((returned) => ("call_id" in returned ? returned.call_id : ""));
  const state = stateAfter(opening, respond({ calls }), ...returns);
  const packet = evidencePacket(state.trajectory, profile.process_validation);
  const reply = await model.respond(processRequest(state, opening, profile, packet, findings), call);
  const parsed = parseProcessReply(reply.ok ? reply.response.content : null, null, "en");
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.reply;
}

describe("the embedded baseline as process validator", () => {
  const submitted = candidate("z");

  it("passes a candidate whose SQL was looked at, with a ledger of what was observed", async () => {
    const verdict = await auditOf(null, [probe, submitted]);
    expect(verdict).toMatchObject({ valid: true, issues: [], inconsistent: false });
    expect(verdict.ledger).toMatchObject({
      intent_summary: "How many?",
      verified_claims: ["observed in step_1:call_a"],
    });
  });

  it("asks for the SQL to be run that was handed in unseen, but not where a look at it was cut", async () => {
    expect(await auditOf(null, [submitted])).toMatchObject({
      valid: false,
      required_next_actions: [`execute_probe_query {"queries":["${SQL}"]}`],
    });
    expect(await auditOf(null, [{ ...probe, truncated: true }, submitted])).toMatchObject({ valid: true });
  });

  it("asks for the documents that the knowledge names and nobody read", async () => {
    const knowledge = "Rates are in `doc/rates.md`, names in doc/名称.md, see also knowledge.md.";
    const rates = toolReturned("r", { tool: "read_doc", args: { path: "doc/rates.md" } });
    expect(await auditOf(knowledge, [probe, rates, submitted])).toMatchObject({
      valid: false,
      required_next_actions: ['read_doc {"path":"doc/名称.md"}'],
    });
    const names = toolReturned("n", { tool: "read_doc", args: { path: "doc/名称.md" }, truncated: true });
    expect(await auditOf(knowledge, [probe, rates, names, submitted])).toMatchObject({ valid: true });
  });

  it("says so in Chinese where the question is Chinese", async () => {
    const verdict = await auditOf("见 doc/units.md。", [probe, submitted], [], "一共有多少行？");
    expect(verdict.issues).toEqual(["知识文档指明 doc/units.md 是来源，但没有证据表明读过它。"]);
    expect(verdict.required_next_actions).toEqual(['read_doc {"path":"doc/units.md"}']);
  });

  it("does not ask for a document that the context does not have", async () => {
    const knowledge = "See doc/gone.md.";
    expect(await auditOf(knowledge, [listing("doc/other.md"), probe, submitted])).toMatchObject({ valid: true });
    expect(await auditOf(knowledge, [listing("doc/gone.md"), probe, submitted])).toMatchObject({ valid: false });
  });

  it("looks at documents on the way too, where there is no candidate", async () => {
    expect(await auditOf("See doc/rates.md.", [probe])).toMatchObject({ valid: false });
    expect(await auditOf(null, [probe])).toMatchObject({ valid: true });
  });

  it("rejects for red findings and remembers the others", async () => {
    const finding = (level: "red" | "warn"): Finding => ({
      rule: "fan-out",
      level,
      evidence: [],
      detail: "the join doubles rows",
    });
    expect(await auditOf(null, [probe, submitted], [finding("red")])).toMatchObject({ valid: false });
    const warned = await auditOf(null, [probe, submitted], [finding("warn")]);
    expect(warned).toMatchObject({ valid: true, ledger: { drift_risks: ["the join doubles rows"] } });
  });
});

describe("the embedded baseline as answer validator", () => {
  async function verdictOn(change: Partial<CandidateSubmitted["candidate"]>, findings: readonly Finding[] = []) {
    const plain = candidate("z");
    const submitted = { ...plain, candidate: { ...plain.candidate, ...change } };
    const state = stateAfter(started(), respond({ calls: ["z"] }), submitted);
    const reply = await model.respond(answerRequest(state, started(), submitted.candidate, profile, findings), call);
    const parsed = parseReply(reply.ok ? reply.response.content : null);
    if (!parsed.ok) throw new Error(parsed.error);
    return parsed.reply.plain;
  }

  it("passes a table, also an empty one", async () => {
    expect(await verdictOn({})).toMatchObject({ valid: true });
    expect(await verdictOn({ rows: 0, preview: [] })).toMatchObject({ valid: true });
  });

  it("refuses a column without any value, and what code calls red", async () => {
    const [column] = candidate("z").candidate.structure;
    if (column === undefined) throw new Error("no column");
    const hollow = { ...column, nulls: 3, distinct: 0, examples: [] };
    expect(await verdictOn({ rows: 3, structure: [hollow] })).toMatchObject({
      valid: false,
      issues: ['Column "n" has no value in any row.'],
    });
    const finding: Finding = { rule: "percent-sign", level: "red", evidence: [], detail: "% in cells" };
    expect(await verdictOn({}, [finding])).toMatchObject({ valid: false, issues: ["% in cells"] });
  });
});
