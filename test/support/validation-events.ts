import type { ModelFailed, ModelResponded } from "../../src/core/event.js";
import type { Purpose } from "../../src/core/message.js";
import { respond } from "./events.js";

export const LEDGER = {
  intent_summary: "count the red fruit",
  verified_claims: ["fruit is the table of the question"],
  unverified_assumptions: [],
  unresolved_ambiguities: [],
  drift_risks: ["do not use fruit_archive"],
};

/** A validator's reply as its model would send it: an object as JSON, text as it is. */
export function validatorReply(purpose: Purpose, reply: unknown): ModelResponded {
  const content = typeof reply === "string" ? reply : JSON.stringify(reply);
  return { ...respond({ content }), purpose };
}

export function validatorFailed(purpose: Purpose): ModelFailed {
  return {
    type: "model-failed",
    purpose,
    request_digest: "d",
    failure: { class: "server", message: "500 from the validator", status: 500 },
    final: true,
    ms: 1,
  };
}
