import { isRecord } from "../core/json.js";
import type { Language } from "../core/language.js";
import type { SemanticLedger } from "../core/ledger.js";
import { type Parsed, type PlainReply, parseReply, texts } from "./reply-json.js";
import { wordingOf } from "./wording/wording.js";

export interface ProcessReply extends PlainReply {
  /** The ledger from now on: the reply's own, or the one before where the reply has none that is whole. */
  readonly ledger: SemanticLedger | null;
  /** `valid: true` beside a material unverified assumption: a contradiction, which counts as a rejection. */
  readonly inconsistent: boolean;
}

/** Reads the process validator's reply. */
export function parseProcessReply(
  content: string | null,
  before: SemanticLedger | null,
  language: Language,
): Parsed<ProcessReply> {
  const parsed = parseReply(content);
  if (!parsed.ok) return parsed;
  const { plain, object } = parsed.reply;
  const own = ledgerOf(object.semantic_ledger);
  const unverified = own?.unverified_assumptions.filter(isMaterial) ?? [];
  const inconsistent = plain.valid && unverified.length > 0;
  const { notVerified } = wordingOf(language).findings;
  const issues = inconsistent ? [...plain.issues, ...unverified.map(notVerified)] : plain.issues;
  return { ok: true, reply: { ...plain, issues, ledger: own ?? before, inconsistent } };
}

/** Null unless it is an object whose lists are lists. A missing list is empty. */
function ledgerOf(value: unknown): SemanticLedger | null {
  if (!isRecord(value)) return null;
  const lists = [value.verified_claims, value.unverified_assumptions, value.unresolved_ambiguities, value.drift_risks];
  const wellFormed = lists.every((list) => list === undefined || Array.isArray(list));
  const { intent_summary } = value;
  if (!wellFormed || (intent_summary !== undefined && typeof intent_summary !== "string")) return null;
  return {
    intent_summary: intent_summary ?? "",
    verified_claims: texts(value.verified_claims),
    unverified_assumptions: texts(value.unverified_assumptions),
    unresolved_ambiguities: texts(value.unresolved_ambiguities),
    drift_risks: texts(value.drift_risks),
  };
}

/** Models write "none" into a list that should be empty. */
function isMaterial(assumption: string): boolean {
  return !/^\W*(?:none|nothing|n\/a|no unverified assumptions?|无|没有|暂无)\W*$/iu.test(assumption);
}
