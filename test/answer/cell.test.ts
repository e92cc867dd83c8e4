import { readFileSync } from "node:fs";
import path from "node:path";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { normaliseCell } from "../../src/answer/cell.js";
import { sharedDir } from "../support/shared.js";

describe.skipIf(sharedDir === null)("the conformance set of cells (needs the shared data)", () => {
  const file = path.join(sharedDir ?? "", "data/scoring/cells.json");
  const cases =
    sharedDir === null
      ? []
      : z
          .array(z.object({ input: z.string(), expected: z.string(), basis: z.string() }))
          .parse(JSON.parse(readFileSync(file, "utf8")));

  it.each(cases)("reads $input as $expected ($basis)", ({ input, expected }) => {
    expect(normaliseCell(input)).toBe(expected);
  });
});

describe("nulls", () => {
  it.each([null, "", "  ", "NULL", " None ", "nAn", "NaT", "<NA>", "\r\n"])("%j is empty", (text) => {
    expect(normaliseCell(text)).toBe("");
  });

  it.each(["NA", "N/A", "-", "nil", "<null>", "-nan", "nones"])("%j is text", (text) => {
    expect(normaliseCell(text)).toBe(text);
  });
});

/** Numbers as people and programs write them. */
const digits = (size: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), ...size });
const writtenNumber = fc
  .record({
    sign: fc.constantFrom("", "-", "+"),
    whole: digits({ minLength: 0, maxLength: 30 }),
    fraction: fc.option(digits({ minLength: 0, maxLength: 30 })),
    exponent: fc.option(fc.integer({ min: -60, max: 60 })),
    e: fc.constantFrom("e", "E", "e+"),
  })
  .filter(({ whole, fraction }) => whole !== "" || (fraction ?? "") !== "")
  .map(({ sign, whole, fraction, exponent, e }) => {
    const power = exponent === null ? "" : exponent < 0 ? `e${exponent}` : `${e}${exponent}`;
    return `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${power}`;
  });

describe("numbers", () => {
  it("are rounded half up to two places exactly as a decimal library rounds them", () => {
    const Exact = Decimal.clone({ precision: 500, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -999, toExpPos: 999 });
    fc.assert(
      fc.property(writtenNumber, (text) => {
        const library = new Exact(text.replace(/\.(?=$|e)/i, "").replace(/^([+-]?)\./, "$10."));
        expect(normaliseCell(text)).toBe(library.toFixed(2).replace(/^-0\.00$/, "0.00"));
      }),
      { numRuns: 2_000 },
    );
  });

  it("stay what they are when normalised again", () => {
    fc.assert(
      fc.property(fc.oneof(writtenNumber, fc.string({ unit: "binary" }), fc.string()), (text) => {
        const once = normaliseCell(text);
        expect(normaliseCell(once)).toBe(once);
      }),
    );
  });

  it.each([".", "+", "-.", "e5", "1e", "1e+", "1.2.3", "--1", "1 2", "0x10", "1f", "1.e", "５e", "\u22121", "1\u0000"])(
    "%j is text",
    (text) => {
      expect(normaliseCell(text)).toBe(text);
    },
  );

  it("are read with the decimal digits of every script that the platform knows", () => {
    const systems = Intl.supportedValuesOf("numberingSystem").filter((system) =>
      /^\p{Nd}{10}$/u.test(new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210)),
    );
    expect(systems.length).toBeGreaterThan(40);
    for (const system of systems) {
      const written = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210);
      expect(normaliseCell(`-${written}`), system).toBe("-9876543210.00");
    }
  });

  it("of any size cost no more than their text", () => {
    expect(normaliseCell("1e999999999")).toBe("1e999999999");
    expect(normaliseCell("10.0e999999998")).toBe("1e999999999");
    expect(normaliseCell("-12300e999999990")).toBe("-123e999999992");
    expect(normaliseCell("1e-999999999")).toBe("0.00");
    expect(normaliseCell("0e999999999")).toBe("0.00");
    expect(normaliseCell("1e99999999999999999999")).toBe("1e99999999999999999999");
    expect(normaliseCell("1e-99999999999999999999")).toBe("0.00");
    expect(normaliseCell("0e99999999999999999999")).toBe("0.00");
    expect(normaliseCell("1e000000000000000000000002")).toBe("100.00");
    expect(normaliseCell("9".repeat(5_000_000))).toBe(`${"9".repeat(5_000_000)}e0`);
  });

  it("are one text for one value also where they are too long to write out", () => {
    expect(normaliseCell(`1${"0".repeat(400)}`)).toBe("1e400");
    expect(normaliseCell(`${"9".repeat(400)}.995`)).toBe("1e400");
    expect(normaliseCell(`${"9".repeat(400)}.994`)).toBe(`${"9".repeat(400)}.99`);
    expect(normaliseCell(`1${"0".repeat(400)}.25`)).toBe(
      normaliseCell(`100${"0".repeat(400)}.25e0`.replace("100", "1")),
    );
    expect(normaliseCell(`1${"0".repeat(400)}.25`)).not.toBe(normaliseCell(`1${"0".repeat(400)}.26`));
  });
});

describe("thousands separators", () => {
  it.each([
    ["1,234", "1234.00"],
    ["-1,234,567.891", "-1234567.89"],
    ["12,345e1", "123450.00"],
    ["999", "999.00"],
  ])("%j is a number when they are allowed", (text, number) => {
    expect(normaliseCell(text, { thousands: true })).toBe(number);
  });

  it.each(["1,23", "12,34", "1234,567", "1,2345", ",123", "1,,234", "1,234,", "1.5,000"])(
    "%j stays text even then",
    (text) => {
      expect(normaliseCell(text, { thousands: true })).toBe(text);
    },
  );

  it("are text when nobody allows them", () => {
    expect(normaliseCell("1,234")).toBe("1,234");
  });
});

describe("dates and times", () => {
  it.each([
    ["2024-3-1", "2024-03-01"],
    ["2024-02-29", "2024-02-29"],
    ["0099-12-31", "0099-12-31"],
    ["2024-3-1 09:05", "2024-03-01T09:05:00"],
    ["2024-03-01T00:00", "2024-03-01T00:00:00"],
    ["2024-03-01 10:30:00.500", "2024-03-01T10:30:00.5"],
    ["2010-07-19 19:39:08.0", "2010-07-19T19:39:08"],
    ["2024-03-01 00:30:00.25+01", "2024-02-29T23:30:00.25Z"],
    ["2024-03-01T10:30-0330", "2024-03-01T14:00:00Z"],
    ["2024-12-31T23:59:59-00:01", "2025-01-01T00:00:59Z"],
    ["2024-03-01T10:30Z", "2024-03-01T10:30:00Z"],
  ])("%j is %s", (text, iso) => {
    expect(normaliseCell(text)).toBe(iso);
  });

  it.each([
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "0000-01-01",
    "24-03-01",
    "2024/3/1",
    "2024-03-01 9:05",
    "2024-03-01  10:30",
    "2024-03-01t10:30",
    "2024-03-01T10:60",
    "2024-03-01T10:30:60",
    "2024-03-01T10:30:00+24:00",
    "2024-03-01T10:30:00 +08:00",
    "9999-12-31T23:59:59-01:00",
    "2024-03-01T",
  ])("%j is text", (text) => {
    expect(normaliseCell(text)).toBe(text);
  });

  it("with a zone are equal where they are the same moment", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1000-01-01"), max: new Date("3000-01-01"), noInvalidDate: true }),
        fc.integer({ min: -23 * 60, max: 23 * 60 }),
        (date, offset) => {
          const moment = new Date(Math.floor(date.getTime() / 1000) * 1000);
          const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, 19);
          const size = Math.abs(offset);
          const zone = `${offset < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
          expect(normaliseCell(`${local}${zone}`)).toBe(moment.toISOString().replace(".000", ""));
        },
      ),
    );
  });
});

describe("text", () => {
  it("is trimmed, has LF for CRLF, and keeps case, width and Unicode form", () => {
    expect(normaliseCell("  East\r\nAsia\t")).toBe("East\nAsia");
    expect(normaliseCell("ＡＢＣ")).toBe("ＡＢＣ");
    expect(normaliseCell("é")).not.toBe(normaliseCell("e\u0301"));
  });

  it("of many megabytes neither crashes nor hangs", () => {
    for (const long of ["a", "9,", "-", "9.", "é", " x", "2024-"].map((part) => part.repeat(4_000_000))) {
      expect(normaliseCell(long, { thousands: true }).length).toBeGreaterThan(0);
    }
  });
});
