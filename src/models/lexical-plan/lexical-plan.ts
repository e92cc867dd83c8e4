import type { ModelRequest } from "../../core/message.js";
import type { PolicyOptions, Submission } from "../lexical/policy.js";
import type { Call } from "../lexical/transcript.js";
import { execute } from "./executor.js";
import { finalize } from "./finalizer.js";
import { openingOf } from "./plan-parts.js";
import { plan } from "./planner.js";

/** The roles of a plan that the embedded baseline plays; it judges, too, beside the other validators. */
export type PlanPurpose = "planner" | "executor" | "finalizer" | "condenser";

export interface PlanAnswer {
  readonly content: string | null;
  readonly calls: readonly Call[];
  /** How the question was read, for the log. */
  readonly submission: Submission | null;
}

/** Characters of a folded text. */
const FOLDED = 100;

/** What the embedded baseline says in a role of a plan: the same for the same request, temperature and seed. */
export function planAnswer(request: ModelRequest & { purpose: PlanPurpose }, options: PolicyOptions): PlanAnswer {
  switch (request.purpose) {
    case "planner":
      return said(JSON.stringify(plan(request)));
    case "executor": {
      const turn = execute(request, options);
      return "calls" in turn
        ? { content: null, calls: turn.calls, submission: null }
        : { content: turn.text, calls: [], submission: turn.submission };
    }
    case "finalizer":
      return { content: null, calls: finalize(request), submission: null };
    case "condenser":
      return said(openingOf(request).replaceAll(/\s+/g, " ").slice(0, FOLDED));
  }
}

const said = (content: string): PlanAnswer => ({ content, calls: [], submission: null });
