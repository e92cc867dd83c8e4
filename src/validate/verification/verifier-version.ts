import { digestOf } from "../../core/digest.js";
import { modelFor, type Profile } from "../../core/profile.js";
import { goalPrompt } from "./goal-prompt.js";

/**
 * What a verdict depends on beside the output: the judge's prompts, the thresholds, and which model judges how. Twelve hex digits, equal where
 * all of that is. Where requests are sent through, and whose key pays, is no part of it.
 */
export function verifierVersion(profile: Profile): string {
  const { provider, name, base_url, temperature, max_output_tokens, extra_body } = modelFor(profile, "verifier");
  const { instructions, ...thresholds } = profile.verification;
  const prompts = [goalPrompt("en", instructions), goalPrompt("zh", instructions)];
  const model = { provider, name, base_url, temperature, max_output_tokens, extra_body };
  return digestOf({ prompts, thresholds, model }).slice(0, 12);
}
