import { stem } from "./stem.js";

export interface Gradable {
  /** Stems of the words of columns that such an adjective measures, best first. */
  readonly columns: readonly string[];
  /** Whether more of the adjective is a larger number in those columns. */
  readonly up: boolean;
  /** Columns where more of it is a smaller number or an earlier date. */
  readonly inverse: readonly string[];
}

const stems = (words: string) => words.split(" ").filter(Boolean).map(stem);

const entry = (up: boolean, columns: string, inverse = ""): Gradable => ({
  up,
  columns: stems(columns),
  inverse: stems(inverse),
});

/** Base form → what it measures. */
const BASES: Readonly<Record<string, Gradable>> = {
  tall: entry(true, "height"),
  short: entry(false, "height length duration time distance"),
  long: entry(true, "length duration distance time run"),
  heavy: entry(true, "weight mass"),
  light: entry(false, "weight mass"),
  old: entry(true, "age", "birth dob birthday born found establish built open year date creation"),
  elderly: entry(true, "age", "birth dob birthday born"),
  young: entry(false, "age", "birth dob birthday born found year date"),
  fast: entry(true, "speed velocity pace", "time lap duration millisecond second"),
  quick: entry(true, "speed", "time duration"),
  slow: entry(false, "speed velocity pace", "time lap duration millisecond second"),
  expensive: entry(true, "price cost fee amount charge rate"),
  pricey: entry(true, "price cost"),
  costly: entry(true, "cost price"),
  cheap: entry(false, "price cost fee amount charge rate"),
  rich: entry(true, "wealth income salary worth money balance"),
  wealthy: entry(true, "wealth income worth"),
  poor: entry(false, "wealth income salary worth"),
  hot: entry(true, "temperature temp"),
  warm: entry(true, "temperature temp"),
  cold: entry(false, "temperature temp"),
  deep: entry(true, "depth"),
  shallow: entry(false, "depth"),
  wide: entry(true, "width"),
  narrow: entry(false, "width"),
  recent: entry(true, "date year time timestamp creation"),
  new: entry(true, "date year creation release found open birth"),
  late: entry(true, "date year time creation birth"),
  early: entry(false, "date year time creation birth"),
  strong: entry(true, "strength power magnitude"),
  weak: entry(false, "strength power"),
  far: entry(true, "distance"),
  near: entry(false, "distance"),
  close: entry(false, "distance"),
  experienced: entry(true, "experience year tenure"),
  popular: entry(true, "popularity vote view rating"),
  profitable: entry(true, "profit margin"),
  productive: entry(true, "production output yield productivity"),
  populous: entry(true, "population inhabitant"),
  populated: entry(true, "population inhabitant"),
  dense: entry(true, "density"),
  loud: entry(true, "volume loudness"),
  valuable: entry(true, "value price worth"),
  wet: entry(true, "rain rainfall precipitation humidity"),
  dry: entry(false, "rain rainfall precipitation humidity"),
  windy: entry(true, "wind"),
  big: entry(true, "size area population capacity amount"),
  large: entry(true, "size area population capacity amount"),
  small: entry(false, "size area population capacity amount"),
};

const IRREGULAR: Readonly<Record<string, string>> = {
  further: "far",
  farther: "far",
  furthest: "far",
  farthest: "far",
  elder: "old",
  eldest: "old",
  latest: "late",
  nearest: "near",
  earlier: "early",
  earliest: "early",
};

export interface Grade {
  readonly base: string;
  readonly gradable: Gradable;
}

/** What an adjective measures by its base form (`expensive`, `old`); null if it is not gradable or not known. */
export function gradeOf(base: string): Grade | null {
  const adjective = base.replace(/ly$/, "");
  if (adjective !== base && Object.hasOwn(BASES, adjective)) return gradeOf(adjective);
  const gradable = Object.hasOwn(BASES, base) ? BASES[base] : undefined;
  return gradable === undefined ? null : { base, gradable };
}

/** `taller`, `heaviest` → their adjective; null for other words. `ending` is `er` or `est`. */
export function inflected(word: string, ending: "er" | "est"): Grade | null {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return word.endsWith(ending) || ending === "er" ? gradeOf(irregular) : null;
  if (!word.endsWith(ending)) return null;
  const cut = word.slice(0, -ending.length);
  const bases = [cut, `${cut}e`, cut.replace(/i$/, "y"), cut.replace(/(.)\1$/, "$1")];
  for (const base of bases) {
    const grade = gradeOf(base);
    if (grade !== null) return grade;
  }
  return null;
}
