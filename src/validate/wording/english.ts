import type { FanOutMend, FanOutWords, FindingWords, Wording } from "./wording.js";

const MENDS: Readonly<Record<FanOutMend, string>> = {
  "aggregate-first": "aggregate before the join, or join to one row each",
  exists: "count distinct rows, or test with EXISTS instead of a join",
  "by-key": "join the tables by a key",
  distinct: "count distinct rows",
  "distinct-or-exists": "use DISTINCT, or EXISTS instead of a join",
};

const EMPTY_PARTS = {
  join: "The join of the submitted SQL leaves no row, whatever is filtered",
  filter: "A filter of the submitted SQL leaves no row on its own",
  group: "A condition on groups leaves no group on its own",
  count: "A condition that the submitted SQL counts by is met by no row",
} as const;

function fanOut({ what, verb, rows, mend }: FanOutWords): string {
  const times = rows.map(({ table, joined, distinct }) => `${distinct} rows of ${table} ${joined} times`).join(" and ");
  return `The join of the submitted SQL repeats rows: ${what ?? "the answer"} ${verb} ${times}. Unless that is meant, ${MENDS[mend]}.`;
}

const findings: FindingWords = {
  unseenTable: (table) =>
    `The submitted SQL reads the table ${table}, which no call has shown and no document that was read describes: look at it (get_table_profile or a query) before relying on it.`,
  unseenColumns: (columns) => {
    const [they, them] = columns.length === 1 ? ["it holds", "it"] : ["they hold", "them"];
    return `The submitted SQL reads ${columns.join(", ")}, which no call has shown and no document that was read describes: look at what ${they} (get_field_profile or a query) before relying on ${them}.`;
  },
  unseenValue: (column, condition, nearest) => {
    const like = nearest.length === 0 ? "" : `; the values most like it are ${quoted(nearest)}`;
    return `No value of ${column} meets ${condition}${like}. Look at how the values are written (get_column_distinct_values) before filtering by one.`;
  },
  unprovenJoin: (pair) =>
    `The submitted SQL joins ${pair}: the catalog knows no such relationship, and no document or earlier query shows that both are the same thing. Show it by a query, e.g. how many values of one are found in the other.`,
  fanOut,
  previewRows: (rows, step) =>
    `The candidate has the ${rows} rows that step ${step} showed of a longer result: submit the query without a limit; what is shown is cut, what is submitted is not.`,
  previewCells: (example) =>
    `Cells of the candidate end in the mark of a cut text, e.g. ${JSON.stringify(example)}: submit the whole texts.`,
  unaskedLimit: (rows) =>
    `The submitted SQL has LIMIT ${rows ?? "…"}, and the question asks neither for a number of rows nor for a highest, lowest, first or last one: take the LIMIT out, or say which words of the question ask for it.`,
  fails: (message) => differs(`it fails: ${message}`),
  otherValues: (rows, candidateRows) =>
    differs(`it gives ${rows} rows with other values than the candidate's ${candidateRows}`),
  arbitraryOrder: (by) =>
    `The answer depends on the order in which the tables' rows happen to be stored (by ${by}): say in the SQL which row is meant, or keep all that tie.`,
  emptyStage: (part, text, why) =>
    `${EMPTY_PARTS[part]}: ${text}${why === "" ? "" : ` (${why})`}. Look at the values, and say so if there really are none.`,
  nullEquals: "nothing equals NULL: write IS NULL",
  turnedRound: "the lower bound is above the upper one",
  columnHas: (value) => `the column has ${JSON.stringify(value)}`,
  guessed: (values) => `neither the question nor a document says ${values.join(", ")}`,
  tableWithoutRows: (table) => `The submitted SQL reads the table ${table}, which has no rows.`,
  everyLook: (table, how) =>
    `Every look at the table ${table}, which the submitted SQL reads, ${how === "failed" ? "failed" : "was cut or failed"}: look at it in a call whose result is shown whole (get_table_profile, or a query with fewer rows).`,
  noRoom: (table) =>
    `The evidence has no room for the looks at the table ${table}, which the submitted SQL reads: look at it once more.`,
  extractedInPart: (table, path, lines) =>
    `The table ${table}, which the submitted SQL reads, was extracted from ${path} in part only, lines ${lines} were not read: extract what is missing, or read it (read_doc) and submit what does not need it.`,
  everyReading: (path) =>
    `Every reading of ${path}, which the answer rests on, failed or was cut: read on to its end (start_line), or the section that matters (heading).`,
  documentIgnored: (path, words) =>
    `knowledge.md names ${path} as a source for ${words.join(", ")}, and it was never read: read it (read_doc) before relying on another meaning.`,
  similarColumns: (table, pairs) =>
    `Of ${table} the submitted SQL uses ${pairs.map(([column, others]) => `${column} beside ${others.join(", ")}`).join("; ")}.`,
  imageWithoutReceipt: (path) =>
    `The image ${JSON.stringify(path)} was read and no receipt says what was seen in it: look at it and record it with record_visual_evidence.`,
  emptyTable: (columns) => `The table has ${columns} columns and no rows.`,
  percentSign: (column, cells) =>
    `Column ${JSON.stringify(column)} has ${cells} cells with a % sign: hand in the plain number, 12.5 for 12.5%.`,
  looseDate: (column, cells, example) =>
    `Column ${JSON.stringify(column)} has ${cells} dates that are not written YYYY-MM-DD, e.g. ${JSON.stringify(example)}.`,
  duplicateColumn: (column, other) =>
    `Column ${JSON.stringify(column)} holds the same cells as column ${JSON.stringify(other)}: hand in one.`,
  constantColumn: (column, value, rows) =>
    `Column ${JSON.stringify(column)} has ${value === undefined ? "no value" : `only ${JSON.stringify(value)}`} in all ${rows} rows: leave it out unless the question asks for it.`,
  retypedTable: (cells) =>
    `The submitted SQL reads no table: its ${cells} cells were typed in. Submit the query that computes them.`,
  claim: ({ check, nearest, sentence, detail }) => {
    const like = nearest.length > 0 ? `; the most similar are ${nearest.join(", ")}` : "";
    return `${detail}${like} (${check})${sentence === null ? "" : `: ${sentence}`}`;
  },
  notVerified: (assumption) => `not verified: ${assumption}`,
};

function differs(how: string): string {
  return `The submitted SQL, run again on its own, does not bring the candidate: ${how}. Submit a source whose result is the same every time.`;
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(", ");

const feedback: Wording["feedback"] = {
  process: (hasCandidate) =>
    hasCandidate
      ? "Your answer was not accepted: the evidence behind it has gaps. It has been withdrawn."
      : "A check of your work so far found gaps in the evidence.",
  answer: "Your answer was not accepted in this form. It has been withdrawn.",
  issues: "Issues:",
  actions: "Required next actions:",
  noReason: "(none were named: check sources, field meanings and joins again)",
  needsEvidence:
    "Carry out the required actions before you submit: a submission without a new successful data or document call is refused.",
  formOnly: "Change the form only. Sources, filters and computations stay as they are.",
  claims:
    "Your conclusion claims something of names that the data do not have. It has been withdrawn, with its answer.",
  legalNames:
    "Name only what the data have, at the level that the question asks for. If the table has the same mistake, correct it too. Then submit again; this is said once.",
  refused:
    "Not submitted: no data or document call has succeeded since the last check. Carry out the required actions first.",
  uncheckable: "the validator could not check this",
  mend: "Mend this, show with a data or document call that it is mended, and submit again.",
  unreadable: (error) =>
    `Your verdict cannot be read: ${error}. Answer with one JSON object {"problem", "score", "reason"} and nothing else.`,
};

export const ENGLISH: Wording = { findings, feedback };
