import { PLAN_PROMPTS_VERSION } from "../agent/plan/prompts.js";
import { PROMPTS_VERSION } from "../agent/prompt.js";
import { VALIDATION_PROMPTS_VERSION } from "../validate/prompts-version.js";

/** Versions of all prompt texts, as a trial's log has them. */
export const PROMPTS = `agent ${PROMPTS_VERSION}, plan ${PLAN_PROMPTS_VERSION}, validation ${VALIDATION_PROMPTS_VERSION}`;
