import type { ModelRequest } from "../../core/message.js";
import { inside, objectsOf, textInside, textsOf } from "../lexical-validator/request-parts.js";
import { type Mention, mentionsIn, nameIn } from "./mentions.js";
import { type NumberedLine, type Sentence, sentencesOf } from "./sentences.js";
import { type WantedField, wantedFields } from "./wanted-fields.js";

interface Row {
  readonly lines: readonly number[];
  readonly values: Readonly<Record<string, string>>;
}

/** What a row is about, and where it was named. */
interface Subject {
  readonly name: string;
  readonly lines: readonly number[];
}

/**
 * The extractor's role without a language model: a sentence that is about something named and holds a number, date or year becomes a row, where
 * those belong to fields that were asked for. English and Chinese. It reads no meaning: it is there so that the whole course runs without a key.
 */
export function extractRows(request: ModelRequest): object {
  const fields = wantedFields(textsOf(request, "fields"));
  const lines = objectsOf(request, "lines").flatMap((value): NumberedLine[] => {
    const [line, text] = [inside(value, "line"), textInside(value, "text")];
    return typeof line === "number" && text !== null ? [{ line, text }] : [];
  });
  const rows: Row[] = [];
  let before: Subject | null = null;
  for (const sentence of sentencesOf(lines)) {
    const subject: Subject | null = subjectOf(sentence, sentence.opens ? null : before);
    before = subject;
    const row = rowOf(sentence, subject, fields);
    if (row !== null) rows.push(row);
  }
  return { rows };
}

/** The name in the sentence, else that of the one before in its paragraph, else the heading's. */
function subjectOf({ text, lines, heading }: Sentence, before: Subject | null): Subject | null {
  const name = nameIn(text);
  if (name !== null) return { name, lines };
  return before ?? (heading === null ? null : { name: heading.text, lines: [heading.line] });
}

function rowOf(sentence: Sentence, subject: Subject | null, fields: readonly WantedField[]): Row | null {
  const about = fields.find(({ kind }) => kind === "name");
  if (about !== undefined && subject === null) return null;
  const own = subject?.name ?? "";
  const mentions = mentionsIn(sentence.text.replace(own, (name) => " ".repeat(name.length)));
  const found = assigned(fields, mentions, sentence.text);
  if (found.length === 0) return null;
  const named: [string, string][] = about === undefined ? [] : [[about.field, own]];
  const lines = about === undefined ? sentence.lines : [...new Set([...(subject?.lines ?? []), ...sentence.lines])];
  return { lines, values: Object.fromEntries([...named, ...found]) };
}

/** Each field's nearest mention of its kind; every mention goes to one field, the closest pairs first. */
function assigned(fields: readonly WantedField[], mentions: readonly Mention[], sentence: string): [string, string][] {
  const pairs = fields
    .flatMap((field) => {
      const fitting = mentions.filter((mention) => fits(field, mention, mentions));
      const rivals = fields.filter((other) => fitting.some((mention) => fits(other, mention, mentions)));
      const isOnly = fitting.length === 1 && rivals.length === 1 && (field.kind === "date" || field.kind === "year");
      return fitting.flatMap((mention) => {
        const distance = distanceOf(field, mention, sentence) ?? (isOnly ? sentence.length : null);
        return distance === null ? [] : [{ field, mention, distance }];
      });
    })
    .sort((a, b) => a.distance - b.distance);
  const taken = new Map<WantedField, Mention>();
  for (const { field, mention } of pairs) {
    if (!taken.has(field) && ![...taken.values()].includes(mention)) taken.set(field, mention);
  }
  return fields.flatMap((field): [string, string][] => {
    const mention = taken.get(field);
    return mention === undefined ? [] : [[field.field, mention.text]];
  });
}

/** A year stands for a date where the sentence has no date. */
function fits({ kind }: WantedField, mention: Mention, all: readonly Mention[]): boolean {
  if (kind === mention.kind || kind === "any") return true;
  return kind === "date" && mention.kind === "year" && !all.some((other) => other.kind === "date");
}

/** Characters between a mention and the nearest word of the field's name, none where its unit follows it; null where nothing joins them. */
function distanceOf({ words, unit }: WantedField, { text, at }: Mention, sentence: string): number | null {
  if (unit !== null && isFollowedBy(unit, sentence.slice(at + text.length).trimStart())) return 0;
  const lower = sentence.toLowerCase();
  const distances = words.flatMap((word) =>
    placesOf(word, lower).map((place) => (place < at ? at - place - word.length : place - at - text.length)),
  );
  return distances.length === 0 ? null : Math.max(0, Math.min(...distances));
}

function placesOf(word: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) places.push(at);
  return places;
}

function isFollowedBy(unit: string, after: string): boolean {
  const next = after.charAt(unit.length);
  return after.startsWith(unit) && !(/\p{Script=Latin}/u.test(unit.slice(-1)) && /\p{Script=Latin}/u.test(next));
}
