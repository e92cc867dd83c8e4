import { assertNever } from "../../core/errors.js";
import type { ModelRequest, Purpose } from "../../core/message.js";
import { auditAnswer } from "./audit-answer.js";
import { auditProcess } from "./audit-process.js";
import { judgeGoal } from "./judge-goal.js";

/** The roles that the embedded baseline plays beside the agent's. */
type ValidatorPurpose = Exclude<Purpose, "agent">;

/** What the embedded baseline says as a validator: the JSON text of a verdict, the same for the same request. */
export function validatorAnswer(request: ModelRequest & { purpose: ValidatorPurpose }): string {
  return JSON.stringify(verdictOn(request));
}

function verdictOn(request: ModelRequest & { purpose: ValidatorPurpose }): object {
  const { purpose } = request;
  switch (purpose) {
    case "process-validator":
      return auditProcess(request);
    case "answer-validator":
      return auditAnswer(request);
    case "verifier":
      return judgeGoal(request);
    default:
      return assertNever(purpose);
  }
}
