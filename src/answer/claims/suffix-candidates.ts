import type { Candidate } from "./candidates.js";
import { isName, nameStart } from "./prose.js";
import { type Ending, NAME_RUN, suffixFinder } from "./suffixes.js";

/** A candidate that knows whether the next one follows without a gap, as in 华东战区苏州二部. */
export interface SuffixCandidate extends Candidate {
  readonly joinsNext: boolean;
}

/** Finds spans that end in a suffix, with the prose before them cut off. `anchors` are prose too. */
export function suffixExtractor(
  entitySuffixes: readonly string[],
  anchors: RegExp,
): (claim: string) => readonly SuffixCandidate[] {
  const endingsOf = suffixFinder(entitySuffixes);
  return (claim) => {
    const anchorEnds = [...claim.matchAll(anchors)].map((match) => match.index + match[0].length);
    return [...claim.matchAll(NAME_RUN)].flatMap((run) => {
      const from = run.index;
      const spans = spansIn(run[0], endingsOf(run[0]), (start, end) => {
        const inside = anchorEnds.filter((anchorEnd) => anchorEnd > from + start && anchorEnd <= from + end);
        return Math.max(start, ...inside.map((anchorEnd) => anchorEnd - from));
      });
      return spans.map((span, index) => ({
        entity: run[0].slice(span.start, span.end),
        start: from + span.start,
        end: from + span.end,
        joinsNext: startsNext(run[0], span.end, spans[index + 1]?.start),
      }));
    });
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** One span an ending; `afterAnchors` moves a start behind the last anchor before `end`. */
function spansIn(
  run: string,
  endings: readonly Ending[],
  afterAnchors: (start: number, end: number) => number,
): readonly Span[] {
  const spans: Span[] = [];
  let before = 0;
  for (const ending of endings) {
    const free = afterAnchors(before, ending.end);
    before = ending.end;
    // An anchor may itself end in a suffix: 用得最好的战区.
    if (free > ending.start) continue;
    const start = free + nameStart(run.slice(free, ending.end), ending.start - free);
    if (isName(run.slice(start, ending.start))) spans.push({ start, end: ending.end });
  }
  return spans;
}

const startsNext = (run: string, end: number, next: number | undefined): boolean =>
  next !== undefined && run.slice(end, next).trim() === "";
