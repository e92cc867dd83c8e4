import type { DocumentBlock, DocumentRecord } from "../context/structured/document-blocks.js";
import { type LeftOut, passageRows } from "../context/structured/passage-reply.js";
import type { Passage } from "../context/structured/passages.js";
import type { AskedPassage, PassageQuestion } from "../core/extraction.js";
import type { ExtractorBudget } from "../core/profile.js";

/** What a call has of its trial's extractor. */
export interface ExtractorSoFar {
  /** What this call asked, and what came of it. */
  readonly asked: readonly AskedPassage[];
  /** Of the whole trial. */
  readonly calls: number;
  readonly tokens: number;
}

/** Prose that is to become records. */
export interface Prose {
  readonly path: string;
  readonly blocks: readonly DocumentBlock[];
  readonly passages: readonly Passage[];
  readonly fields: readonly string[];
}

interface Unread {
  readonly first_line: number;
  readonly last_line: number;
  readonly why: string;
}

export type ProseReading =
  /** The extractor's answer to this question is needed first. */
  | { readonly kind: "ask"; readonly question: PassageQuestion }
  | {
      readonly kind: "read";
      /** In the order of the document's passages. */
      readonly records: readonly DocumentRecord[];
      readonly left_out: readonly LeftOut[];
      readonly unread: readonly Unread[];
    };

/** How often one passage is asked about: once more where the reply is not of the form that was asked for. */
const TRIES = 2;

/**
 * Reads prose by what the extractor has said so far, or says what it has to be asked next. Pure: the same replies bring the same records,
 * so that a trial that is resumed goes on where it was. A passage that cannot be read is `unread`, with the reason; after an extractor that
 * could not be reached, or a spent budget, so are all that follow.
 */
export function readProse(prose: Prose, soFar: ExtractorSoFar, budget: ExtractorBudget): ProseReading {
  const records: DocumentRecord[] = [];
  const left_out: LeftOut[] = [];
  const unread: Unread[] = [];
  let stop: string | null = null;
  for (const [index, passage] of prose.passages.entries()) {
    const replies = soFar.asked.flatMap(({ question, reply }) => (question.passage === index && reply ? [reply] : []));
    const last = replies.at(-1);
    const heard = last?.ok ? passageRows(last.content, passage, prose.fields, sectionsOf(prose.blocks)) : null;
    if (heard?.ok) {
      records.push(...heard.records);
      left_out.push(...heard.left_out);
      continue;
    }
    if (last?.ok === false) stop ??= `the extractor did not answer (${last.error})`;
    const mend = heard === null ? null : heard.error;
    const unusable = replies.length < TRIES ? null : `the extractor's replies could not be used (${mend})`;
    const why: string | null = stop ?? unusable ?? spent(soFar, budget);
    if (why === null) return { kind: "ask", question: questionOf(prose, index, passage, mend) };
    if (unusable === null) stop = why;
    unread.push({ first_line: passage[0]?.line ?? 0, last_line: passage.at(-1)?.line ?? 0, why });
  }
  return { kind: "read", records, left_out, unread };
}

function questionOf({ path, fields, passages }: Prose, passage: number, lines: Passage, mend: string | null) {
  return { path, fields, passage, passages: passages.length, lines, mend };
}

function spent({ calls, tokens }: ExtractorSoFar, { max_calls, max_tokens }: ExtractorBudget): string | null {
  if (calls >= max_calls) return `the trial's ${max_calls} calls of the extractor are used up`;
  return tokens >= max_tokens ? `the extractor has used ${tokens} of the trial's ${max_tokens} tokens` : null;
}

/** Which heading a line of the blocks stands under. */
function sectionsOf(blocks: readonly DocumentBlock[]): (line: number) => string | null {
  return (line) => blocks.find(({ last_line }) => line <= last_line)?.heading ?? null;
}
