import { Decimal } from "decimal.js";

export interface PlainTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The rules of kdd-columns written down once more, as plainly as can be and in another way, to compare with. */
export function obviousScore(prediction: PlainTable, gold: PlainTable, penalty: number, names: "accept" | "strict") {
  const goldColumns = columnsOf(gold);
  const predictedColumns = columnsOf(prediction);
  const exact = mostPairs(goldColumns, predictedColumns);
  const merges = names === "strict" ? { gold: 0, prediction: 0 } : mostMerges(gold, prediction, exact);
  const matched = exact + merges.gold + merges.prediction;
  const g = goldColumns.length - merges.gold;
  const p = predictedColumns.length - merges.prediction;
  return { matched, gold: g, predicted: p, score: Math.max(0, matched / g - (penalty * (p - matched)) / p) };
}

/** Each column as the sorted list of its normalised cells, written as one text. */
function columnsOf(table: PlainTable): string[] {
  return table.columns.map((_, column) => written(table.rows.map((row) => row[column] ?? "")));
}

function written(cells: readonly string[]): string {
  return JSON.stringify(cells.map(obviousCell).sort());
}

/** By trying every partner for every column. */
function mostPairs(gold: readonly string[], predicted: readonly string[]): number {
  const [first, ...rest] = gold;
  if (first === undefined) return 0;
  const without = mostPairs(rest, predicted);
  const withPartner = predicted.flatMap((column, at) =>
    column === first ? [1 + mostPairs(rest, predicted.toSpliced(at, 1))] : [],
  );
  return Math.max(without, ...withPartner);
}

interface Merges {
  readonly gold: number;
  readonly prediction: number;
}

/** The most merges that leave as many exact pairs, by trying every set of them. */
function mostMerges(gold: PlainTable, prediction: PlainTable, exact: number): Merges {
  const possible = [
    ...mergesOf(gold, prediction).map((merge) => ({ ...merge, side: "gold" as const })),
    ...mergesOf(prediction, gold).map((merge) => ({ ...merge, side: "prediction" as const })),
  ];
  let best: Merges = { gold: 0, prediction: 0 };
  for (let mask = 0; mask < 2 ** possible.length; mask++) {
    const chosen = possible.filter((_, bit) => (mask >> bit) & 1);
    const used = {
      gold: chosen.flatMap((merge) => (merge.side === "gold" ? merge.parts : [merge.full])),
      prediction: chosen.flatMap((merge) => (merge.side === "gold" ? [merge.full] : merge.parts)),
    };
    const overlaps =
      new Set(used.gold).size < used.gold.length || new Set(used.prediction).size < used.prediction.length;
    if (overlaps) continue;
    const rest = (table: PlainTable, gone: readonly number[]) =>
      columnsOf(table).filter((_, column) => !gone.includes(column));
    if (mostPairs(rest(gold, used.gold), rest(prediction, used.prediction)) < exact) continue;
    const count = (side: "gold" | "prediction") => chosen.filter((merge) => merge.side === side).length;
    if (chosen.length > best.gold + best.prediction) best = { gold: count("gold"), prediction: count("prediction") };
  }
  return best;
}

function mergesOf(split: PlainTable, other: PlainTable) {
  const full = columnsOf(other);
  return split.columns.flatMap((_, left) => {
    const right = left + 1;
    const roles = [left, right].map((column) => roleOf(split.columns[column] ?? ""));
    if (!roles.includes("first") || !roles.includes("last")) return [];
    const [first, last] = roles[0] === "first" ? [left, right] : [right, left];
    const merged = written(
      split.rows.map((row) => {
        const parts = [row[first] ?? "", row[last] ?? ""];
        return parts
          .filter((part) => obviousCell(part) !== "")
          .map((part) => part.trim())
          .join(" ");
      }),
    );
    return full.flatMap((column, at) => (column === merged ? [{ parts: [left, right], full: at }] : []));
  });
}

function roleOf(header: string): string {
  const known: Readonly<Record<string, string>> = {
    first_name: "first",
    名: "first",
    Surname: "last",
    familyName: "last",
  };
  return known[header] ?? "other";
}

/** All decimal digits of all scripts, in Unicode's order: each script's ten stand together, 0 first. */
const DIGITS = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{Nd}/u.test(character));

/** The cell rules by other means: decimal.js for numbers, Date for days. */
export function obviousCell(cell: string): string {
  const ascii = [...cell.trim()]
    .map((each) => (/\p{Nd}/u.test(each) ? String(DIGITS.indexOf(each) % 10) : each))
    .join("");
  return obviousNumber(ascii) ?? obviousOther(cell.trim());
}

function obviousNumber(text: string): string | null {
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return null;
  const exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_HALF_UP });
  return new exact(text.replace(/^\+/, "")).toFixed(2).replace(/^-0\.00$/, "0.00");
}

function obviousOther(text: string): string {
  if (["", "null", "none", "nan", "nat", "<na>"].includes(text.toLowerCase())) return "";
  const [, year = "", month = "", day = ""] = /^(\d\d\d\d)-(\d\d?)-(\d\d?)$/.exec(text) ?? [];
  const padded = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${padded}T00:00:00Z`);
  if (year !== "" && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(padded)) return padded;
  return text.split("\r\n").join("\n");
}
