import { assertNever } from "../../core/errors.js";
import type { ModelRequest, Purpose } from "../../core/message.js";
import { extractRows } from "../lexical-extractor/extract.js";
import type { PlanPurpose } from "../lexical-plan/lexical-plan.js";
import { auditAnswer } from "../lexical-validator/audit-answer.js";
import { auditProcess } from "../lexical-validator/audit-process.js";
import { judgeGoal } from "../lexical-validator/judge-goal.js";

/** Roles in which the embedded baseline answers with JSON text alone. */
type ReplyingPurpose = Exclude<Purpose, "agent" | PlanPurpose>;

/** What the embedded baseline says in a role beside the agent's: the JSON text of its reply, the same for the same request. */
export function roleAnswer(request: ModelRequest, purpose: ReplyingPurpose): string {
  return JSON.stringify(replyTo(request, purpose));
}

function replyTo(request: ModelRequest, purpose: ReplyingPurpose): object {
  switch (purpose) {
    case "process-validator":
      return auditProcess(request);
    case "answer-validator":
      return auditAnswer(request);
    case "verifier":
      return judgeGoal(request);
    case "extractor":
      return extractRows(request);
    default:
      return assertNever(purpose);
  }
}
