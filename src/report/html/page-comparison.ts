import { UsageError } from "../../core/errors.js";
import { compareRuns, whatIsMissing } from "../diff/diff.js";
import type { RunFacts } from "../run-facts.js";
import type { Metric } from "../task-summary.js";
import type { PageComparison } from "./page-data.js";

/** What `daw-eval diff` would say of two runs. Where nothing can be compared the page says why: it still shows both. */
export function pageComparison(base: RunFacts, head: RunFacts, metric: Metric): PageComparison {
  const missing = [base, head].flatMap((facts) => {
    const why = whatIsMissing(facts);
    return why.length === 0 ? [] : [`${facts.start.run_id} is incomplete: ${why.join("; ")}`];
  });
  try {
    return { ...compareRuns(base, head, { metric, fail_on: "worse", margin: 0, arms: [] }), missing };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { comparisons: [], left_out: error.lines, missing };
  }
}
