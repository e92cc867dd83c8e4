import type { ClaimCheck } from "../../core/claim-check.js";
import type { DomainReply } from "../../core/ports/domain-query.js";
import type { CheckResult, Finding, FindingLevel } from "./check.js";
import { type ValueDomain, valueDomain } from "./domain.js";

const NEAREST_SHOWN = 3;

/** Puts findings together: a check is red with a single red one. */
export function conclude(check: ClaimCheck, findings: readonly Finding[]): CheckResult {
  return { check: check.name, state: findings.some(({ level }) => level === "red") ? "red" : "passed", findings };
}

/** A check that could not be made, with the one finding that says why. */
export function unchecked(check: ClaimCheck, level: "warn" | "error", detail: string): CheckResult {
  const found: Finding = { check: check.name, level, entity: null, sentence: null, nearest: [], detail };
  return { check: check.name, state: "unchecked", findings: [found] };
}

/** The values as a domain, or why there is none. */
export function readDomain(reply: DomainReply): ValueDomain | string {
  if (!reply.ok) return `the domain query failed: ${reply.message}`;
  const domain = valueDomain(reply.values);
  return domain.values.length === 0 ? "the domain query returned no value" : domain;
}

export const notAmong = ({ values }: ValueDomain): string =>
  values.length === 1 ? "not the one value of the domain" : `not among the ${values.length} values of the domain`;

export function finding(
  check: ClaimCheck,
  level: FindingLevel,
  entity: string,
  sentence: string | null,
  domain: ValueDomain,
  detail: string,
): Finding {
  return { check: check.name, level, entity, sentence, nearest: domain.nearest(entity, NEAREST_SHOWN), detail };
}
