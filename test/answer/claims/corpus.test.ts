import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/answer/claims/check.js";
import { reconcileConclusion } from "../../../src/answer/claims/reconcile.js";
import { CORPORA, type Corpus } from "./corpus.js";

const written = ({ level, entity }: Finding) => (entity === null ? level : `${level} ${entity}`);

function findingsOf(corpus: Corpus, index: number): string[] {
  const one = corpus.cases[index];
  if (one === undefined) throw new Error("no such case");
  const domain = { ok: true, values: corpus.domain } as const;
  return reconcileConclusion({ ...corpus.check, ...one.options }, one.text, domain).findings.map(written);
}

/** Findings that were expected and made, of those expected and of those made; as multisets. */
function compare(expected: readonly string[], found: readonly string[]) {
  const left = [...expected];
  const hits = found.filter((one) => {
    const at = left.indexOf(one);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  return { hits: hits.length, expected: expected.length, found: found.length };
}

describe("the corpus of claims", () => {
  it("has at least 60 sentences, 20 of them adversarial", () => {
    const cases = CORPORA.flatMap((corpus) => corpus.cases);
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(cases.filter((one) => one.adversarial !== undefined).length).toBeGreaterThanOrEqual(20);
  });

  describe.each(CORPORA)("$language", (corpus) => {
    it.each(corpus.cases.map((one, index) => ({ ...one, index })))("$text", ({ index, expect: expected }) => {
      expect(findingsOf(corpus, index).sort()).toEqual([...expected].sort());
    });
  });

  it("is found with this precision and recall", () => {
    const counts = CORPORA.flatMap((corpus) =>
      corpus.cases.map((one, index) => compare(one.expect, findingsOf(corpus, index))),
    );
    const sum = (key: "hits" | "expected" | "found") => counts.reduce((total, one) => total + one[key], 0);
    const [hits, expected, found] = [sum("hits"), sum("expected"), sum("found")];
    console.log(
      `claims corpus: ${counts.length} sentences, ${expected} findings expected, ${found} made: precision ${(hits / found).toFixed(3)}, recall ${(hits / expected).toFixed(3)}`,
    );
    expect(hits / found).toBeGreaterThanOrEqual(0.95);
    expect(hits / expected).toBeGreaterThanOrEqual(0.95);
  });
});
