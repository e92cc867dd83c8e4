import type { DataQueried } from "../../src/core/event.js";
import type { Finding } from "../../src/core/finding.js";
import type { QueryWorker } from "../../src/core/ports/query-worker.js";
import { checkData } from "../../src/run/check-data.js";
import type { CheckInput, MechanicalCheck } from "../../src/validate/mechanical/check.js";
import { factsOf } from "../../src/validate/mechanical/facts.js";
import { runChecks } from "../../src/validate/mechanical/run-checks.js";
import { profileWith } from "./profile.js";

/** What checks find about a candidate, with every query that they ask for answered by a real worker. `rounds` counts those answers. */
export async function findingsOf(
  checks: readonly MechanicalCheck[],
  input: Omit<CheckInput, "facts">,
  worker: QueryWorker,
): Promise<{ readonly findings: readonly Finding[]; readonly rounds: number }> {
  const events: DataQueried[] = [];
  const access = { tools: profileWith({}).tools, signal: new AbortController().signal };
  for (;;) {
    const outcome = runChecks(checks, { ...input, facts: factsOf(events) }, "process");
    if (outcome.done) return { findings: outcome.findings, rounds: events.length };
    const { validator, why, answer, queries } = outcome.effect;
    const results = await Promise.all(queries.map((sql) => checkData(sql, answer, worker, access)));
    events.push({ type: "data-queried", validator, why, answer, queries, results, ms: 0 });
  }
}
