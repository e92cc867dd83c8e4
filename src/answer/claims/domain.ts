import { naturalOrder } from "../../core/natural-order.js";
import { characters, comparable, insideNumber, insideWord } from "./text.js";

/** The shortest text whose containment in another says anything. */
const LEAST_CONTAINED = 3;

/** The legal values of a check, ready to be asked. */
export interface ValueDomain {
  /** Distinct values, blank ones left out, as the database has them. */
  readonly values: readonly string[];
  /** Whether the entity (comparable text) is a value. */
  equals(entity: string): boolean;
  /** Whether the entity (comparable text) is a value, part of one, or has one as a part. */
  has(entity: string): boolean;
  /** Where a comparable text has a value of three characters or more written out; of those that start at one place the longest. */
  written(text: string): readonly { readonly start: number; readonly end: number }[];
  /** Values that share most character pairs with the entity, most first, at most `count`; none where nothing is shared. */
  nearest(entity: string, count: number): readonly string[];
}

/** Prepares the values of a domain query. */
export function valueDomain(raw: Iterable<string>): ValueDomain {
  const byForm = new Map<string, string>();
  for (const value of raw) {
    const form = comparable(value);
    if (form !== "" && !byForm.has(form)) byForm.set(form, value);
  }
  const forms = [...byForm.keys()];
  const telling = forms.filter((form) => characters(form) >= LEAST_CONTAINED);
  const lengths = [...new Set(telling.map((form) => form.length))].sort((a, b) => b - a);
  let pairs: PairIndex | null = null;
  return {
    values: [...byForm.values()],
    equals: (entity) => byForm.has(entity),
    has: (entity) => byForm.has(entity) || forms.some((form) => contains(form, entity) || contains(entity, form)),
    written: (text) => writtenIn(text, byForm, lengths),
    nearest: (entity, count) => {
      pairs ??= pairIndex(forms);
      return mostAlike(entity, pairs, count).map((form) => byForm.get(form) ?? form);
    },
  };
}

/**
 * Whether `part` stands in `whole`, as a name cut short does: it must not begin inside a word of a spaced script (`Art Team` in
 * `Smart Team`) nor cut a number in two (`Team 1` in `Team 12`).
 */
function contains(whole: string, part: string): boolean {
  if (part.length >= whole.length || characters(part) < LEAST_CONTAINED) return false;
  for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (!insideWord(whole, at) && !insideNumber(whole, end)) return true;
  }
  return false;
}

/** Looks each substring of a value's length up, so that the number of values does not matter. */
function writtenIn(text: string, forms: ReadonlyMap<string, string>, lengths: readonly number[]) {
  const found: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length; start++) {
    const length = lengths.find(
      (one) => forms.has(text.slice(start, start + one)) && isWhole(text, start, start + one),
    );
    if (length !== undefined) found.push({ start, end: start + length });
  }
  return found;
}

const isWhole = (text: string, start: number, end: number): boolean =>
  !insideWord(text, start) && !insideWord(text, end);

interface PairIndex {
  /** Character pair → the forms that have it. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

/** Neighbouring characters, case ignored; the first character counts as a pair of its own, for names differ least at their start. */
function pairsOf(text: string): Set<string> {
  const letters = [...text.toLowerCase()];
  return new Set(letters.map((letter, index) => (letters[index - 1] ?? "^") + letter));
}

function pairIndex(forms: readonly string[]): PairIndex {
  const holders = new Map<string, string[]>();
  for (const form of forms) {
    for (const pair of pairsOf(form)) {
      const list = holders.get(pair);
      if (list === undefined) holders.set(pair, [form]);
      else list.push(form);
    }
  }
  return { holders };
}

/** By Dice's coefficient over pairs; ties in natural order. */
function mostAlike(entity: string, { holders }: PairIndex, count: number): string[] {
  const wanted = pairsOf(entity);
  const shared = new Map<string, number>();
  for (const pair of wanted) {
    for (const form of holders.get(pair) ?? []) shared.set(form, (shared.get(form) ?? 0) + 1);
  }
  return [...shared]
    .map(([form, pairs]) => ({ form, likeness: (2 * pairs) / (wanted.size + pairsOf(form).size) }))
    .sort((a, b) => b.likeness - a.likeness || naturalOrder(a.form, b.form))
    .slice(0, count)
    .map(({ form }) => form);
}
