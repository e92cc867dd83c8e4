import { describe, expect, it } from "vitest";
import type { FindingWords } from "../../src/validate/wording/wording.js";
import { wordingOf } from "../../src/validate/wording/wording.js";

const repeated = [{ table: "TABLE", joined: 71, distinct: 73 }];

/** Each text once with arguments that are told by their looks, so that a language which drops one is found out. */
const SAID: Readonly<Record<keyof FindingWords, (say: FindingWords) => string>> = {
  unseenTable: (say) => say.unseenTable("TABLE"),
  unseenColumns: (say) => say.unseenColumns(["TABLE.A", "TABLE.B"]),
  unseenValue: (say) => say.unseenValue("TABLE.A", "A = 'X'", ["Y", "Z"]),
  unprovenJoin: (say) => say.unprovenJoin("T.A = U.B"),
  fanOut: (say) => say.fanOut({ what: "SUM(A)", verb: "takes", rows: repeated, mend: "distinct-or-exists" }),
  previewRows: (say) => say.previewRows(71, 73),
  previewCells: (say) => say.previewCells("CUT…"),
  unaskedLimit: (say) => say.unaskedLimit(71),
  fails: (say) => say.fails("BINDER"),
  otherValues: (say) => say.otherValues(71, 73),
  arbitraryOrder: (say) => say.arbitraryOrder("FIRST()"),
  emptyStage: (say) => say.emptyStage("filter", "A > 71", say.guessed(["X", "Y"])),
  nullEquals: (say) => say.nullEquals,
  turnedRound: (say) => say.turnedRound,
  columnHas: (say) => say.columnHas("X"),
  guessed: (say) => say.guessed(["X", "Y"]),
  tableWithoutRows: (say) => say.tableWithoutRows("TABLE"),
  everyLook: (say) => say.everyLook("TABLE", "cut"),
  noRoom: (say) => say.noRoom("TABLE"),
  extractedInPart: (say) => say.extractedInPart("TABLE", "DOC.md", "71-73"),
  everyReading: (say) => say.everyReading("DOC.md"),
  documentIgnored: (say) => say.documentIgnored("DOC.md", ["X", "Y"]),
  similarColumns: (say) => say.similarColumns("TABLE", [["A", ["B", "C"]]]),
  imageWithoutReceipt: (say) => say.imageWithoutReceipt("FRAME.png"),
  emptyTable: (say) => say.emptyTable(71),
  percentSign: (say) => say.percentSign("A", 71),
  looseDate: (say) => say.looseDate("A", 71, "3/4/24"),
  duplicateColumn: (say) => say.duplicateColumn("A", "B"),
  constantColumn: (say) => say.constantColumn("A", "X", 71),
  retypedTable: (say) => say.retypedTable(71),
  claim: (say) =>
    say.claim({ check: "CHECK", entity: "X", isDenied: false, nearest: ["Y"], sentence: "X!", detail: "“X” …" }),
  notVerified: (say) => say.notVerified("X"),
};

const namesIn = (text: string) =>
  text.match(/\b(?:[A-Z]{1,2}|TABLE|SUM|CUT|BINDER|FIRST|DOC|FRAME|CHECK|7[13])\b/g)?.toSorted() ?? [];

describe("what checks say", () => {
  it.each(Object.entries(SAID))("names the same things in both languages: %s", (_, said) => {
    const [english, chinese] = [said(wordingOf("en").findings), said(wordingOf("zh").findings)];
    expect(english).not.toMatch(/\p{Script=Han}/u);
    expect(chinese).toMatch(/\p{Script=Han}{2}/u);
    expect(new Set(namesIn(chinese))).toEqual(new Set(namesIn(english)));
  });

  it("says every mend, empty part and verb in words of its own", () => {
    for (const language of ["en", "zh"] as const) {
      const { fanOut, emptyStage } = wordingOf(language).findings;
      const mends = (["aggregate-first", "exists", "by-key", "distinct", "distinct-or-exists"] as const).map((mend) =>
        fanOut({ what: null, verb: "shows", rows: repeated, mend }),
      );
      const verbs = (["takes", "counts", "shows"] as const).map((verb) =>
        fanOut({ what: "x", verb, rows: repeated, mend: "exists" }),
      );
      const parts = (["join", "filter", "group", "count"] as const).map((part) => emptyStage(part, "x", ""));
      for (const all of [mends, verbs, parts]) expect(new Set(all).size).toBe(all.length);
    }
  });
});
