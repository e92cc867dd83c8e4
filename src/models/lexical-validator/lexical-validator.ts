import type { ModelRequest } from "../../core/message.js";
import { auditAnswer } from "./audit-answer.js";
import { auditProcess } from "./audit-process.js";

/** What the embedded baseline says as a validator: the JSON text of a verdict, the same for the same request. */
export function validatorAnswer(request: ModelRequest & { purpose: "process-validator" | "answer-validator" }): string {
  return JSON.stringify(request.purpose === "process-validator" ? auditProcess(request) : auditAnswer(request));
}
