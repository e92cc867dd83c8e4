import { editDistance } from "../../core/nearest.js";
import type { Candidate } from "./candidates.js";
import type { ValueDomain } from "./domain.js";
import { characters, comparable, insideWord } from "./text.js";

/** Shorter values are near to half of all words. */
const LEAST_LENGTH = 3;
const MOST_EDITS = 3;

interface Near extends Candidate {
  readonly edits: number;
}

/**
 * Finds spans that are almost a value: within a third of its length in edits, three at most. Values that are written out, and
 * anchors, are taken out of the text first, so that a span never holds a part of them. Of spans that overlap the one with
 * fewest edits wins, then the longest.
 */
export function nearExtractor(domain: ValueDomain, anchors: RegExp): (claim: string) => readonly Candidate[] {
  const forms = domain.values.map(comparable).filter((form) => characters(form) >= LEAST_LENGTH);
  return (claim) => {
    const anchored = [...claim.matchAll(anchors)];
    const taken = [
      ...domain.written(claim),
      ...anchored.map((match) => ({ start: match.index, end: match.index + match[0].length })),
    ];
    const letters = new Set(claim.toLowerCase());
    const gaps = gapsBetween(taken, claim.length);
    const near = forms.filter((form) => mayBeNear(form, letters)).flatMap((form) => nearSpans(claim, gaps, form));
    // Written out in another case: it took its place in the text, but there is nothing to say about it.
    const misspelt = withoutOverlaps(near).filter(({ edits }) => edits > 0);
    return misspelt.map(({ entity, start, end }) => ({ entity, start, end }));
  };
}

interface Gap {
  readonly start: number;
  readonly end: number;
}

function gapsBetween(taken: readonly Gap[], length: number): Gap[] {
  const gaps: Gap[] = [];
  let free = 0;
  for (const { start, end } of taken.toSorted((a, b) => a.start - b.start)) {
    if (start > free) gaps.push({ start: free, end: start });
    free = Math.max(free, end);
  }
  if (length > free) gaps.push({ start: free, end: length });
  return gaps;
}

const editsFor = (form: string): number => Math.min(MOST_EDITS, Math.floor(form.length / 3));

/** Cheap and never wrong about a near span: each character of the value that the claim lacks costs an edit. */
function mayBeNear(form: string, letters: ReadonlySet<string>): boolean {
  let missing = 0;
  for (const letter of form.toLowerCase()) if (!letters.has(letter)) missing++;
  return missing <= editsFor(form);
}

function nearSpans(claim: string, gaps: readonly Gap[], form: string): Near[] {
  const reach = editsFor(form);
  const lower = form.toLowerCase();
  const found: Near[] = [];
  for (const gap of gaps) {
    for (const end of nearEnds(claim.toLowerCase(), gap, lower, reach)) {
      if (!endsName(claim, end)) continue;
      const longest = Math.max(gap.start, end - form.length - reach);
      for (let start = end - Math.max(1, form.length - reach); start >= longest; start--) {
        if (!startsName(claim, start)) continue;
        const entity = claim.slice(start, end);
        const edits = editDistance(entity.toLowerCase(), lower);
        if (edits <= reach) found.push({ entity, start, end, edits });
      }
    }
  }
  return found;
}

/**
 * Where in a gap a span may end that is within `reach` edits of `form`: the edit distance's table with a free start (Sellers), so
 * that the spans themselves are only tried where there is one.
 */
function nearEnds(text: string, gap: Gap, form: string, reach: number): number[] {
  const ends: number[] = [];
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: form.length + 1 }, (_, row) => row);
  for (let end = gap.start + 1; end <= gap.end; end++) {
    const letter = text[end - 1];
    const current = [0];
    for (let row = 1; row <= form.length; row++) {
      const replace = at(last, row - 1) + (form[row - 1] === letter ? 0 : 1);
      let best = Math.min(replace, at(last, row) + 1, at(current, row - 1) + 1);
      const swapped = end - gap.start > 1 && row > 1 && form[row - 2] === letter && form[row - 1] === text[end - 2];
      if (swapped) best = Math.min(best, at(beforeLast, row - 2) + 1);
      current.push(best);
    }
    if (at(current, form.length) <= reach) ends.push(end);
    beforeLast = last;
    last = current;
  }
  return ends;
}

const at = (column: readonly number[], row: number): number => column[row] ?? Number.POSITIVE_INFINITY;

const startsName = (claim: string, at: number): boolean =>
  /^[\p{L}\p{N}]/u.test(claim.slice(at, at + 2)) && !insideWord(claim, at);

const endsName = (claim: string, at: number): boolean =>
  /[\p{L}\p{M}\p{N})]$/u.test(claim.slice(Math.max(0, at - 2), at)) && !insideWord(claim, at);

function withoutOverlaps(spans: readonly Near[]): Near[] {
  const best = spans.toSorted((a, b) => a.edits - b.edits || b.end - b.start - (a.end - a.start) || a.start - b.start);
  const kept: Near[] = [];
  for (const span of best) {
    if (kept.every((other) => span.end <= other.start || span.start >= other.end)) kept.push(span);
  }
  return kept.sort((a, b) => a.start - b.start);
}
