/**
 * What the text of a cell is, decided in SQL for every cell of a column. Strict on purpose: a kind other than text means that the
 * typed value says exactly what the text says. Leading zeros, a plus sign, thousands separators, day-first dates, `1E5`
 * (a code as often as a number), zones and times alone are text.
 */
export const KINDS = [
  /** Fits BIGINT: at most 18 digits in a file without types, 64 bits in one with types. */
  "integer",
  /** A whole number too long for BIGINT. */
  "long-integer",
  /** A number with a fraction or an exponent; finite. */
  "decimal",
  /** As the two above, with spaces around. */
  "padded-integer",
  "padded-decimal",
  /** 2020-01-31 */
  "date",
  /** 2020-01-31 10:30[:00[.123456]], with a space or a T */
  "timestamp",
  /** NA, N/A, #N/A, <NA>, NaN, NULL, None, \N in any case; in a file with types also the empty text. */
  "missing",
  "text",
  "boolean",
  "nested",
  "blob",
] as const;
export type Kind = (typeof KINDS)[number];

export type KindCounts = Readonly<Partial<Record<Kind, number>>>;

export const MISSING_MARKERS = ["na", "n/a", "#n/a", "<na>", "nan", "null", "none", "\\n"] as const;

const INTEGER = "-?(?:0|[1-9][0-9]{0,17})";
const DECIMAL =
  "-?(?:(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+][0-9]+)?|-?(?:0|[1-9][0-9]*)?\\.[0-9]+[eE][0-9]+";
const DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const TIMESTAMP = `${DATE}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,6})?)?`;
const MARKERS = MISSING_MARKERS.map((marker) => `'${marker}'`).join(", ");

/** Macros that the loader defines in its own connection; they do not go into the compiled file. */
export const KIND_MACROS: readonly string[] = [
  `CREATE TEMP MACRO is_missing(x) AS lower(x) IN (${MARKERS})`,
  // A DOUBLE column of 16 or more digits may hold a neighbour of what the file says: digits that differ betray it.
  `CREATE TEMP MACRO digits(x) AS
     rtrim(ltrim(replace(split_part(lower(x), 'e', 1), '.', ''), '-0 '), '0 ')`,
  `CREATE TEMP MACRO is_inexact(x) AS
     strlen(x) > 15 AND TRY_CAST(TRY_CAST(trim(x) AS DOUBLE) AS VARCHAR) <> x
     AND strlen(digits(x)) > 15 AND digits(x) <> digits(CAST(TRY_CAST(trim(x) AS DOUBLE) AS VARCHAR))`,
  `CREATE TEMP MACRO number_kind(x) AS CASE
     WHEN regexp_full_match(x, '${INTEGER}') THEN 'integer'
     WHEN regexp_full_match(x, '${DECIMAL}') AND isfinite(TRY_CAST(x AS DOUBLE))
       AND (contains(x, '.') OR contains(lower(x), 'e')) THEN 'decimal' END`,
  `CREATE TEMP MACRO text_kind(x) AS CASE
     WHEN regexp_full_match(x, '${DATE}') AND TRY_CAST(x AS DATE) IS NOT NULL THEN 'date'
     WHEN regexp_full_match(x, '${TIMESTAMP}') AND TRY_CAST(x AS TIMESTAMP) IS NOT NULL THEN 'timestamp'
     WHEN is_missing(x) THEN 'missing'
     ELSE 'text' END`,
  `CREATE TEMP MACRO plain_kind(x) AS
     coalesce(number_kind(x), CASE WHEN x <> trim(x) THEN 'padded-' || number_kind(trim(x)) END, text_kind(x))`,
  `CREATE TEMP MACRO tagged_kind(x) AS CASE x[1]
     WHEN 's' THEN CASE WHEN length(x) = 1 THEN 'missing' ELSE text_kind(x[2:]) END
     WHEN 'i' THEN CASE WHEN TRY_CAST(x[2:] AS BIGINT) IS NULL THEN 'long-integer' ELSE 'integer' END
     WHEN 'n' THEN CASE WHEN isfinite(TRY_CAST(x[2:] AS DOUBLE)) OR x[2:] IN ('Infinity', '-Infinity') THEN 'decimal' ELSE 'text' END
     WHEN 'b' THEN 'boolean'
     WHEN 'j' THEN 'nested'
     ELSE 'blob' END`,
];

/** How a column is stored, and the sentences about what that changes. */
export interface ColumnDecision {
  readonly type: "VARCHAR" | "BIGINT" | "DOUBLE" | "DATE" | "TIMESTAMP" | "BOOLEAN" | "JSON";
  /** Cells with a marker for a missing value become NULL. */
  readonly missingIsNull: boolean;
  readonly notes: readonly ColumnNote[];
}

export interface ColumnNote {
  readonly code: string;
  readonly detail: string;
  /** Kinds of which the most frequent values are to be quoted after the detail. */
  readonly examples: readonly Kind[];
}

const NUMBERS: readonly Kind[] = ["integer", "long-integer", "decimal", "padded-integer", "padded-decimal"];
/** What one column of a typed file should not mix. */
const CLASSES: readonly (readonly Kind[])[] = [
  NUMBERS,
  ["date", "timestamp", "missing", "text"],
  ["boolean"],
  ["nested"],
  ["blob"],
];
/** In a file without types a column is called mixed when at least this share of its values is of one kind. */
const MOSTLY = 0.8;

/** Chooses the type of a column from the kinds of all its cells. `typedFile`: the file itself has types. Pure. */
export function decideType(counts: KindCounts, typedFile: boolean): ColumnDecision {
  const of = (kinds: readonly Kind[]) => kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const total = of(KINDS);
  const missing = of(["missing"]);
  const all = (kinds: readonly Kind[]) => of(kinds) > 0 && of(kinds) + missing === total;
  const typed = (type: ColumnDecision["type"], notes: readonly ColumnNote[] = []): ColumnDecision => ({
    type,
    missingIsNull: missing > 0,
    notes: [...missingNotes(missing), ...notes],
  });
  if (all(["integer", "padded-integer"])) return typed("BIGINT", paddedNotes(counts));
  if (all(NUMBERS) && of(["decimal", "padded-decimal"]) > 0) return typed("DOUBLE", paddedNotes(counts));
  if (all(["date"])) return typed("DATE");
  if (all(["timestamp"])) return typed("TIMESTAMP");
  if (total > 0 && of(["boolean"]) === total) return { type: "BOOLEAN", missingIsNull: false, notes: [] };
  return {
    type: of(["nested"]) > 0 ? "JSON" : "VARCHAR",
    missingIsNull: false,
    notes: [...textNotes(counts), ...mixedNotes(counts, total, typedFile)],
  };
}

function missingNotes(count: number): ColumnNote[] {
  if (count === 0) return [];
  const detail = `${count} cells hold a word for a missing value; they are NULL`;
  return [{ code: "missing-marker", detail, examples: ["missing"] }];
}

function paddedNotes(counts: KindCounts): ColumnNote[] {
  const count = (counts["padded-integer"] ?? 0) + (counts["padded-decimal"] ?? 0);
  if (count === 0) return [];
  return [
    { code: "padded-numbers", detail: `${count} numbers have spaces around them, which were dropped`, examples: [] },
  ];
}

function textNotes(counts: KindCounts): ColumnNote[] {
  const { blob = 0, "long-integer": long = 0 } = counts;
  const notes: ColumnNote[] = [];
  if (blob > 0)
    notes.push({
      code: "blob",
      detail: `${blob} values are binary; they are text of hexadecimal digits`,
      examples: [],
    });
  if (long > 0) {
    notes.push({
      code: "long-integers",
      detail: `${long} whole numbers do not fit 64 bits; the column is text`,
      examples: ["long-integer"],
    });
  }
  return notes;
}

function mixedNotes(counts: KindCounts, total: number, typedFile: boolean): ColumnNote[] {
  const present = KINDS.filter((kind) => (counts[kind] ?? 0) > 0);
  const most = present.reduce<Kind>((a, b) => ((counts[b] ?? 0) > (counts[a] ?? 0) ? b : a), "text");
  const own = CLASSES.find((kinds) => kinds.includes(most)) ?? [most];
  const others = present.filter((kind) => (typedFile ? !own.includes(kind) : kind !== most && !NUMBERS.includes(kind)));
  const mixed = typedFile
    ? others.length > 0
    : most !== "text" && most !== "missing" && others.length > 0 && (counts[most] ?? 0) >= MOSTLY * total;
  if (!mixed) return [];
  const parts = present.map((kind) => `${counts[kind]} ${kind}`).join(", ");
  return [
    {
      code: "mixed-types",
      detail: `the ${total} values are of several kinds (${parts}) and stay as they are written`,
      examples: others,
    },
  ];
}

export function isKind(text: string | null | undefined): text is Kind {
  return KINDS.some((kind) => kind === text);
}
