import type { Candidate } from "./candidates.js";
import { nameStart } from "./prose.js";

/** Pairs of marks that set a name apart; Markdown's bold among them. */
const MARKED =
  /“([^“”]+)”|"([^"]+)"|‘([^‘’]+)’|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》|`([^`]+)`|\*\*([^*]+)\*\*|(?<![\p{L}\p{N}])__([^_]+)__(?![\p{L}\p{N}])/gu;
const LISTED = /[、,;]\s*/u;
/** Where a list item stops naming and starts telling. */
const ITEM_TAIL = /\s*(?:[:(,;、|=→]|\s[-–—]+\s|[-–—]{2}|——|。|[.!?](?=\s|$)).*$/u;
/** 120, 35.2%, ¥1,200, 3 单, 12 orders: bold in every report, and no names. */
const QUANTITY = /^[\s+\-±~≈约近超共]*[¥$€£]?\s*\p{Nd}[\p{Nd}.,:/\s-]*\s*(?:%|‰|°|\p{L}{0,10})$/u;

/**
 * Finds quoted and bold spans, and the head of a list item or the naming cell of a table row. `anchors` find the anchors: a
 * span that holds one is emphasised prose, and only what follows the anchor may be a name.
 */
export function quotedCandidates(claim: string, isItem: boolean, anchors: RegExp): readonly Candidate[] {
  const marked = [...claim.matchAll(MARKED)].map((match) => {
    const inside = match.slice(1).find((group) => group !== undefined) ?? "";
    return spanOf(inside, match.index + match[0].indexOf(inside));
  });
  const spans = marked.length === 0 && isItem ? itemSpans(claim, anchors) : marked;
  return spans.map((span) => afterAnchor(span, anchors)).filter(({ entity }) => isNaming(entity));
}

/** The parts of a span that enumerates (苏州二部、武汉咨询部), or the span itself. */
export function enumerated(candidate: Candidate): readonly Candidate[] {
  let at = candidate.start;
  const parts = candidate.entity.split(LISTED).map((part) => {
    const found = spanOf(part, candidate.start + candidate.entity.indexOf(part, at - candidate.start));
    at = found.end;
    return found;
  });
  return parts.length < 2 ? [candidate] : parts.filter(({ entity }) => isNaming(entity));
}

function itemSpans(claim: string, anchors: RegExp): Candidate[] {
  if (!claim.startsWith("|")) {
    const told = afterAnchor(spanOf(claim, 0), anchors);
    return [spanOf(told.entity.replace(ITEM_TAIL, ""), told.start)];
  }
  let at = 0;
  const cells = claim.split("|").map((cell) => {
    const span = spanOf(cell, at);
    at += cell.length + 1;
    return span;
  });
  const naming = cells.find(({ entity }) => isNaming(entity));
  return naming === undefined ? [] : [naming];
}

function afterAnchor(span: Candidate, anchors: RegExp): Candidate {
  const found = [...span.entity.matchAll(anchors)].at(-1);
  if (found === undefined) return span;
  const rest = span.entity.slice(found.index + found[0].length);
  const front = /^[\s:：,，、]*/u.exec(rest)?.[0].length ?? 0;
  const start = front + nameStart(rest.slice(front), rest.length - front);
  const skipped = span.entity.length - rest.length + start;
  return spanOf(span.entity.slice(skipped), span.start + skipped);
}

/** Trimmed of white space and emphasis. */
function spanOf(text: string, start: number): Candidate {
  const front = /^[\s*_~`]*/.exec(text)?.[0].length ?? 0;
  const entity = text.slice(front).replace(/[\s*_~`]+$/, "");
  return { entity, start: start + front, end: start + front + entity.length };
}

const isNaming = (text: string): boolean => /\p{L}/u.test(text) && !QUANTITY.test(text);
