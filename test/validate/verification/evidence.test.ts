import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidenceFindings } from "../../../src/validate/verification/evidence-layer.js";

/** Rules of what is found where `output` cites E1, whose text is `seen`. */
const found = (output: string, seen: string, given: readonly string[] = []) =>
  evidenceFindings(output, [{ id: "E1", text: seen }], given).map(({ rule }) => rule);
const supported = (said: string, seen: string) => expect(found(`It is ${said} in all [E1].`, seen), said).toEqual([]);
const unsupported = (said: string, seen: string) =>
  expect(found(`It is ${said} in all [E1].`, seen), said).not.toEqual([]);

describe("the evidence layer", () => {
  it("catches an id that no tool made, alone and in a list, and says which there are", () => {
    const pool = [
      { id: "E1", text: "12" },
      { id: "E2", text: "13" },
    ];
    expect(evidenceFindings("There are 12 [E99].", pool, [])).toEqual([
      { rule: "unknown-citation", detail: "The output cites E99, which does not exist: the evidence is E1, E2." },
    ]);
    expect(evidenceFindings("There are 12 [E1, E99].", pool, []).map(({ rule }) => rule)).toEqual(["unknown-citation"]);
    expect(evidenceFindings("There are 12 [E01].", pool, []).map(({ rule }) => rule)).toEqual(["unknown-citation"]);
    expect(evidenceFindings("There are 12 [E1].", [], [])[0]?.detail).toContain("there is no evidence yet");
  });

  it("catches a number, a date and a quoted value that the cited evidence does not hold", () => {
    const seen = JSON.stringify({ rows: [["Ash", 12, "2024-03-01"]] });
    expect(found("Ash has 12 shops since 2024-03-01 [E1].", seen)).toEqual([]);
    expect(found("Ash has 13 shops [E1].", seen)).toEqual(["number-not-in-evidence"]);
    expect(found("Ash has 12 shops since 2024-03-02 [E1].", seen)).toEqual(["date-not-in-evidence"]);
    expect(found('The town is "Ash" [E1].', seen)).toEqual([]);
    expect(found('The town is "Birch" [E1].', seen)).toEqual(["quote-not-in-evidence"]);
    expect(found("镇名是「Birch」 [E1]。", seen)).toEqual(["quote-not-in-evidence"]);
  });

  it("looks at the evidence that a statement cites, not at what others cite", () => {
    const pool = [
      { id: "E1", text: "12" },
      { id: "E2", text: "30" },
    ];
    const rules = (output: string) => evidenceFindings(output, pool, []).map(({ rule }) => rule);
    expect(rules("Ash has 12 [E1]. Birch has 30 [E2].")).toEqual([]);
    expect(rules("Ash has 12 [E2]. Birch has 30 [E1].")).toHaveLength(2);
    expect(rules("Ash has 12 and Birch 30 [E1][E2].")).toEqual([]);
    expect(rules("Ash has 12; Birch has 30 [E2].")).toEqual(["number-not-in-evidence"]);
    expect(rules("Ash has 12 [E1]; Birch has 30 [E2].")).toEqual([]);
  });

  it("gives a citation after the full stop to the sentence before it, and one of a list's lead to its items", () => {
    expect(found("合计 5 家。[E1]", "7")).toEqual(["number-not-in-evidence"]);
    expect(found("There are 5. [E1] That is all.", "7")).toEqual(["number-not-in-evidence"]);
    expect(found("Shops by town [E1]:\n- Ash: 5\n- Birch: 7", "7")).toEqual(["number-not-in-evidence"]);
    expect(found("Shops by town [E1]:\n1. Ash: 7\n2. Birch: 7", "7")).toEqual([]);
    expect(found("## 2. Shops of Ash: 7 [E1]", "7")).toEqual([]);
    expect(found("| Ash | 5 | [E1] |", "7")).toEqual(["number-not-in-evidence"]);
  });

  it("does not ask for evidence of what the task itself says, of statements without a citation, and of words", () => {
    expect(found("Over 100 in 2023 there are 7 [E1].", "7", ["Which had over 100 in 2023?"])).toEqual([]);
    expect(found("There are 7 [E1]. So the 3 asked items are there.", "7")).toEqual([]);
    expect(found("The largest town, Ash, leads by far [E1].", '{"town": "ASH"}')).toEqual([]);
    expect(found("**Largest** is `Ash`, quarter Q3, line A12 [E1].", '{"town": "ASH"}')).toEqual([]);
  });

  it("tolerates formats", () => {
    for (const [said, seen] of [
      ["12.35", "12.3456"],
      ["1.2 million", "1234567"],
      ["1,234,567", "1234567"],
      ["1234567", "1,234,567"],
      ["１，２３４．５", "1234.5"],
      ["１２ 家", "12"],
      ["12.5%", "0.125"],
      ["12.5％", "12.5"],
      ["0.125", "12.5%"],
      ["12.3 percent", "0.12345"],
      ["百分之十二", "0.12"],
      ["三十五", "35"],
      ["35", "三十五家"],
      ["3万", "30000"],
      ["12.5万元", "12.5"],
      ["1.5亿", "150000000"],
      ["down 5", "-5"],
      ["-5", "-5.0"],
      ["2e3", "2000"],
      ["7", "seven shops"],
      ["2024年3月1日", "2024-03-01"],
      ["March 1, 2024", "2024-03-01T10:30:00"],
      ["1st of March 2024", "2024/3/1"],
      ["2024年3月", "2024-03-01"],
      ["01/03/2024", "2024-03-01"],
      ["in 2024", "2024-03-01"],
      ["10:30", "2024-03-01 10:30:00"],
      ["5 and 600", "[5,600]"],
      ["1.2.3", "version 1.2.3"],
      ["1".repeat(70), "1".repeat(70)],
      ["ranked 1st and 第3名", "Ash"],
    ] as const) {
      supported(said, seen);
    }
  });

  it("does not take another value for a format", () => {
    for (const [said, seen] of [
      ["12.36", "12.3456"],
      ["5", "4.7"],
      ["1.3 million", "1234567"],
      ["1,234,567", "1234568"],
      ["100200300", "[100,200,300]"],
      ["12.5%", "0.25"],
      ["12.5", "0.125"],
      ["三十五", "36"],
      ["-5", "5"],
      ["5", "15"],
      ["5", "5.7"],
      ["2024年3月2日", "2024-03-01"],
      ["April 2024", "2024-03-01"],
      ["10:31", "2024-03-01 10:30:00"],
      ["123456789012345678901", "123456789012345678902"],
      ["1".repeat(70), "1".repeat(71)],
      ["13", "12 shops of 130"],
    ] as const) {
      unsupported(said, seen);
    }
  });
});

const grouped = (digits: string) => digits.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
const fullWidth = (text: string) =>
  text.replaceAll(/[\d.,%]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

describe("numbers and dates in any format", () => {
  const amount = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 99 }));

  it("are found again: separators, full-width signs, trailing zeros, JSON or text", () => {
    fc.assert(
      fc.property(amount, fc.boolean(), fc.boolean(), fc.boolean(), ([whole, cents], commas, wide, json) => {
        const value = `${whole}.${String(cents).padStart(2, "0")}`;
        const shown = `${commas ? grouped(String(whole)) : whole}.${String(cents).padStart(2, "0")}`;
        supported(wide ? fullWidth(shown) : shown, json ? JSON.stringify([Number(value)]) : `total ${value}.`);
      }),
    );
  });

  it("are found again as percent or fraction, either way", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.boolean(), (basis, wide) => {
        const percent = `${(basis / 1000).toFixed(3)}%`;
        const fraction = (basis / 100_000).toFixed(5);
        supported(wide ? fullWidth(percent) : percent, fraction);
        supported(fraction, percent);
      }),
    );
  });

  it("are found again rounded to fewer places, and never where the rounded value is another", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 9_999_999 }),
        fc.integer({ min: 0, max: 3 }),
        (thousandths, places) => {
          const exact = thousandths / 1000;
          const scale = 10 ** places;
          const rounded = Math.round(thousandths / (1000 / scale)) / scale;
          supported(rounded.toFixed(places), exact.toFixed(3));
          unsupported((rounded + 1 / scale).toFixed(places), exact.toFixed(3));
        },
      ),
    );
  });

  it("are another value where a digit differs", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 9_999_999 }), fc.integer({ min: 1, max: 99 }), (value, more) => {
        unsupported(String(value + more), JSON.stringify({ n: value }));
        unsupported(grouped(String(value + more)), `n = ${value} rows`);
      }),
    );
  });

  it("are days in every way to write one", () => {
    const day = fc.date({ min: new Date("1901-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    const MONTHS = "January February March April May June July August September October November December".split(" ");
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 6 }), (date, form) => {
        const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
        const iso = date.toISOString().slice(0, 10);
        const forms = [
          iso,
          `${y}/${m}/${d}`,
          `${y}年${m}月${d}日`,
          fullWidth(`${y}年${m}月${d}日`),
          `${MONTHS[m - 1]} ${d}, ${y}`,
          `${d} ${MONTHS[m - 1]?.slice(0, 3)} ${y}`,
          iso.replaceAll("-", ""),
        ];
        const said = forms[form] ?? iso;
        supported(said, JSON.stringify({ day: `${iso} 00:00:00` }));
        const next = new Date(date.getTime() + 40 * 86_400_000).toISOString().slice(0, 10);
        unsupported(said, JSON.stringify({ day: `${next} 00:00:00` }));
      }),
    );
  });

  it("never throw, whatever the texts are", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.string({ unit: "binary", maxLength: 200 }),
        (said, seen) => {
          evidenceFindings(`${said} 1,000 [E1]`, [{ id: "E1", text: seen }], [said]);
        },
      ),
    );
  });
});
