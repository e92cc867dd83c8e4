import type { CatalogColumn, CatalogTable } from "../core/catalog.js";

export interface ColumnRef {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
}

/** Endings that say "this identifies something". */
const KEY_WORDS = ["id", "ids", "key", "code", "no", "num", "number", "uuid", "guid", "编号", "编码", "代码", "号"];
/** Names that say nothing about what they name: every table may have one. */
const BARE = new Set([
  ...KEY_WORDS,
  "name",
  "title",
  "label",
  "type",
  "date",
  "year",
  "value",
  "status",
  "description",
  "index",
  "名称",
  "名字",
]);

/** Two columns whose names suggest that the first refers to the second. */
export interface NamedPair {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
  /** In words. */
  readonly why: string;
}

/**
 * Pairs of columns of different tables whose names suggest that the first refers to the second. Overlap of values alone says nothing:
 * small whole numbers are everywhere. `isUnique` says whether no value of a column occurs twice. Pure; in the order of `refs`.
 */
export function pairsByName(refs: readonly ColumnRef[], isUnique: (ref: ColumnRef) => boolean): readonly NamedPair[] {
  const columns = refs.map((ref) => {
    const words = wordsOf(ref.column.name);
    return { ref, words, name: words.join(" "), subject: subjectOf(words), unique: isUnique(ref) };
  });
  const byName = new Map<string, (typeof columns)[number][]>();
  for (const column of columns) byName.set(column.name, [...(byName.get(column.name) ?? []), column]);
  const keys = columns.filter(({ unique, words }) => unique && KEY_WORDS.includes(words.at(-1) ?? ""));
  const pairs: NamedPair[] = [];
  for (const from of columns) {
    // Two columns of one name that are unique nowhere belong together only if the name is that of a key.
    const alike = BARE.has(from.name) ? [] : (byName.get(from.name) ?? []);
    for (const to of alike.filter((found) => found.unique || endsInKey(found.words))) {
      pairs.push({ from: from.ref, to: to.ref, why: `Both columns are named ${from.ref.column.name}` });
    }
    for (const to of from.subject === null ? [] : keys.filter((key) => key.name !== from.name)) {
      if (!isAbout(from.subject ?? [], to.ref.table.name, to.words.slice(0, -1))) continue;
      pairs.push({
        from: from.ref,
        to: to.ref,
        why: `${from.ref.column.name} names ${to.ref.table.name}.${to.ref.column.name}`,
      });
    }
  }
  return pairs.filter(({ from, to }) => from.table !== to.table);
}

/** Whether a key about `subject` may refer to a key of a table: `hero` to superhero.id, `hero` to powers.hero_no. */
function isAbout(subject: readonly string[], table: string, before: readonly string[]): boolean {
  if (before.length > 0) return subject.join("") === before.join("");
  return namesTable(subject, singulars(wordsOf(table)));
}

/** `heroId`, `hero_id`, `Hero ID` → hero, id. Chinese names split before their key word: 部门编号 → 部门, 编号. */
export function wordsOf(name: string): string[] {
  const spaced = name
    .normalize("NFKC")
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .replaceAll(/(?<=.)(?:编号|编码|代码)$|(?<=[^编])号$/gu, " $&")
    .toLowerCase();
  return spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

function endsInKey(words: readonly string[]): boolean {
  const [last = ""] = words.slice(-1);
  return KEY_WORDS.includes(last) || (words.length === 1 && /.(?:id|code|key)$/.test(last));
}

/** What a key column is about: `eye colour id` → eye colour, `raceid` → race; null when it is no key. */
function subjectOf(words: readonly string[]): readonly string[] | null {
  const [last = ""] = words.slice(-1);
  if (words.length > 1 && KEY_WORDS.includes(last)) return words.slice(0, -1);
  const joined = words.length === 1 ? /^(.{2,})(?:id|key|code)$/.exec(last)?.[1] : undefined;
  return joined === undefined ? null : [joined];
}

/** `hero` → superhero, `eye colour` → colour, `publisher` → publishers: the end of one is the other. */
function namesTable(subject: readonly string[], table: readonly string[]): boolean {
  const [a, b] = [singulars(subject).join(""), table.join("")];
  if (a.length < 2 || b.length < 2) return false;
  return a === b || (a.length >= 4 && b.endsWith(a)) || (b.length >= 4 && a.endsWith(b));
}

/** English plurals without their ending, the last word only: `hero powers` → hero power. */
export function singulars(words: readonly string[]): string[] {
  return words.map((word, i) => {
    if (i < words.length - 1 || word.length < 4) return word;
    if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
    if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
    return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  });
}
