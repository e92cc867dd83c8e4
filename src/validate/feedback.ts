import type { Demands } from "../core/event-validation.js";
import type { Language } from "../core/language.js";
import { type FeedbackWords, wordingOf } from "./wording/wording.js";

/** What the agent is told of a verdict: issues and required actions, never the ledger. */

/** The message after a rejection of the evidence. */
export function evidenceMessage(language: Language, demands: Demands, hasCandidate: boolean): string {
  const say = wordingOf(language).feedback;
  return [say.process(hasCandidate), ...lists(say, demands), say.needsEvidence].join("\n");
}

/** The message after a rejection of the form. */
export function formMessage(language: Language, demands: Demands): string {
  const say = wordingOf(language).feedback;
  return [say.answer, ...lists(say, demands), say.formOnly].join("\n");
}

/** The message after a conclusion that names what the data do not have. */
export function claimsMessage(language: Language, issues: readonly string[]): string {
  const say = wordingOf(language).feedback;
  return [say.claims, ...lists(say, { issues, required_next_actions: [] }), say.legalNames].join("\n");
}

/** What a submission gets back while required actions are outstanding: the shape of a failed tool call, with the same lists. */
export function refusalContent(language: Language, demands: Demands): string {
  const { issues, required_next_actions } = demands;
  const error = "actions-outstanding";
  return JSON.stringify({ error, message: wordingOf(language).feedback.refused, issues, required_next_actions });
}

/** The issue of a check that the profile takes for a rejection because the validator failed. */
export function uncheckableIssue(language: Language): string {
  return wordingOf(language).feedback.uncheckable;
}

/** What is required after a rejection by code, whose findings say themselves what is wrong. */
export function mendingAction(language: Language): string {
  return wordingOf(language).feedback.mend;
}

/** What a judge is told whose reply is no verdict. */
export function unreadableVerdictMessage(language: Language, error: string): string {
  return wordingOf(language).feedback.unreadable(error);
}

function lists(say: FeedbackWords, { issues, required_next_actions }: Demands): string[] {
  const numbered = (heading: string, items: readonly string[]) =>
    items.length === 0 ? [] : [heading, ...items.map((item, index) => `${index + 1}. ${item}`)];
  if (issues.length + required_next_actions.length === 0) return [say.issues, say.noReason];
  return [...numbered(say.issues, issues), ...numbered(say.actions, required_next_actions)];
}
