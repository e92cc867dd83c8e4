import type { ClaimCheck } from "../../core/claim-check.js";
import type { DomainReply } from "../../core/ports/domain-query.js";
import type { Candidate } from "./candidates.js";
import type { CheckResult, Finding } from "./check.js";
import type { ValueDomain } from "./domain.js";
import { conclude, finding, notAmong, readDomain, unchecked } from "./findings.js";
import { nearExtractor } from "./near-candidates.js";
import { enumerated, quotedCandidates } from "./quoted-candidates.js";
import { claimSentences } from "./sentences.js";
import { type SuffixCandidate, suffixExtractor } from "./suffix-candidates.js";
import { anyOf, characters, comparable } from "./text.js";
import { zeroUseFinder } from "./zero-use.js";

/** A shorter span names nothing. */
const LEAST_ENTITY = 3;
const GENERIC = "用得 主力 全国 所有 各战区 各团队".split(" ");

const EMPTY_CONCLUSION = "there is no conclusion to reconcile";

/** Whether a conclusion has nothing in it that could be reconciled. */
export function isEmptyConclusion(conclusion: string | null): boolean {
  return conclusion === null || comparable(conclusion) === "";
}

/** What checks come to where there is no conclusion: one warning for all of them. */
export function nothingToReconcile(checks: readonly ClaimCheck[]): readonly CheckResult[] {
  const [first, ...others] = checks;
  if (first === undefined) return [];
  const all = checks.map(({ name }) => name).join(", ");
  const { findings } = unchecked({ ...first, name: all }, "warn", EMPTY_CONCLUSION);
  return [
    { check: first.name, state: "unchecked", findings },
    ...others.map(({ name }): CheckResult => ({ check: name, state: "unchecked", findings: [] })),
  ];
}

/**
 * Reconciles the entities of a conclusion's claims with the legal values (seed 2, sections 4 and 5). Pure. An empty conclusion
 * is one `warn`; so is one without a claim; a domain that could not be had, or has no value, is one `error`.
 */
export function reconcileConclusion(check: ClaimCheck, conclusion: string | null, reply: DomainReply): CheckResult {
  if (conclusion === null || isEmptyConclusion(conclusion)) return unchecked(check, "warn", EMPTY_CONCLUSION);
  const domain = readDomain(reply);
  if (typeof domain === "string") return unchecked(check, "error", domain);
  const anchored = check.anchors.map(comparable).map((anchor) => anchor.toLowerCase());
  const claims = claimSentences(conclusion, (sentence) => {
    const text = comparable(sentence).toLowerCase();
    return anchored.some((anchor) => text.includes(anchor));
  });
  if (claims.length === 0) {
    return unchecked(check, "warn", `no sentence has one of the anchors ${check.anchors.join(", ")}`);
  }
  const entitiesOf = entityFinder(check, domain);
  const findings = claims.flatMap(({ text, item }) =>
    entitiesOf(text, item).map(({ entity, unused }): Finding => {
      const outside = `"${entity}" is ${notAmong(domain)}`;
      return unused
        ? finding(check, "warn", entity, text, domain, `${outside}, but the text says that it has no entries`)
        : finding(check, "red", entity, text, domain, outside);
    }),
  );
  return conclude(check, findings);
}

interface Outsider {
  readonly entity: string;
  /** The text says, near every mention, that it has no entries. */
  readonly unused: boolean;
}

/** Entities of a sentence that are not in the domain, each once. */
function entityFinder(
  check: ClaimCheck,
  domain: ValueDomain,
): (sentence: string, item: boolean) => readonly Outsider[] {
  const outsidersOf = outsiderFinder(check, domain);
  const saysUnused = zeroUseFinder(check.zero_use_terms);
  const generic = [...GENERIC, ...check.generic_terms.map(comparable)].filter((term) => term !== "");
  return (sentence, item) => {
    const claim = comparable(sentence);
    const unused = new Map<string, boolean>();
    for (const { entity, start, end } of outsidersOf(claim, item)) {
      if (characters(entity) < LEAST_ENTITY || generic.some((term) => entity.includes(term))) continue;
      unused.set(entity, (unused.get(entity) ?? true) && saysUnused(claim, start, end));
    }
    return [...unused].map(([entity, nothing]) => ({ entity, unused: nothing }));
  };
}

function outsiderFinder(
  check: ClaimCheck,
  domain: ValueDomain,
): (claim: string, item: boolean) => readonly Candidate[] {
  const anchors = anyOf(check.anchors);
  const outside = ({ entity }: Candidate) => !domain.has(entity);
  switch (check.extract) {
    case "suffix": {
      const candidatesOf = suffixExtractor(check.entity_suffixes, anchors);
      return (claim) => withoutQualifiers(candidatesOf(claim), claim, domain);
    }
    case "quoted":
      return (claim, item) =>
        quotedCandidates(claim, item, anchors)
          .filter(({ entity }) => !domain.equals(entity))
          .flatMap(enumerated)
          .filter(outside);
    case "domain": {
      const candidatesOf = nearExtractor(domain, anchors);
      return (claim) => candidatesOf(claim).filter(outside);
    }
  }
}

/**
 * Leaves out what is legal, and a name right before a legal one, which says where that belongs: of 华东战区苏州二部 only 苏州二部
 * is claimed. A span that ends in a value that is written out is a piece of it, whatever was cut off before it.
 */
function withoutQualifiers(
  candidates: readonly SuffixCandidate[],
  claim: string,
  domain: ValueDomain,
): SuffixCandidate[] {
  const written = domain.written(claim);
  const isLegal = ({ entity, end }: SuffixCandidate) =>
    domain.has(entity) || written.some((value) => value.start < end && end <= value.end);
  const outsiders: SuffixCandidate[] = [];
  let nextIsLegal = false;
  for (const candidate of candidates.toReversed()) {
    const legal: boolean = isLegal(candidate) || (candidate.joinsNext && nextIsLegal);
    if (!legal) outsiders.unshift(candidate);
    nextIsLegal = legal;
  }
  return outsiders;
}
