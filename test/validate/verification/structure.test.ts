import { describe, expect, it } from "vitest";
import { type StructureRules, structureFindings } from "../../../src/validate/verification/structure-layer.js";

const RULES: StructureRules = { min_characters: 20, parts: [], citations: true, lines: [] };
const rulesOf = (output: string, more: Partial<StructureRules> = {}) =>
  structureFindings(output, { ...RULES, ...more }).map(({ rule }) => rule);

describe("the structure layer", () => {
  it("wants twenty characters, white space at the ends not counted, and one citation", () => {
    expect(rulesOf("There are 12 towns [E1].")).toEqual([]);
    expect(rulesOf("  12 towns [E1]      ")).toEqual(["too-short"]);
    expect(rulesOf(`${"x".repeat(15)} [E1]`)).toEqual([]);
    expect(rulesOf(`${"x".repeat(14)} [E1]`)).toEqual(["too-short"]);
    expect(rulesOf("There are twelve towns in all.")).toEqual(["no-citation"]);
    expect(rulesOf("")).toEqual(["too-short", "no-citation"]);
  });

  it("counts characters as a person does, Chinese ones and those outside the basic plane too", () => {
    expect(rulesOf(`${"镇".repeat(15)} [E1]`)).toEqual([]);
    expect(rulesOf(`${"𠮷".repeat(14)} [E1]`)).toEqual(["too-short"]);
  });

  it("wants no citation where nothing rests on tools", () => {
    expect(rulesOf("There are twelve towns in all.", { citations: false })).toEqual([]);
  });

  it("finds an id in a list and in full-width brackets to be a citation", () => {
    expect(rulesOf("There are twelve towns [E1, E2].")).toEqual([]);
    expect(rulesOf("表中一共有十二个镇，其中三个没有车站【E1】。")).toEqual([]);
    expect(rulesOf("There are twelve towns [e1] [Ex] E1.")).toEqual(["no-citation"]);
  });

  it("names each part that is missing", () => {
    const parts = ["Towns", "Without a station"];
    expect(rulesOf("## TOWNS\nAsh, Birch [E1]\n## Without a  station\nAsh [E1]", { parts })).toEqual([]);
    const [found, ...others] = structureFindings("## Towns\nAsh, Birch and Elm [E1]", { ...RULES, parts });
    expect(others).toEqual([]);
    expect(found).toEqual({ rule: "missing-part", detail: 'The output lacks the part "Without a station".' });
  });

  it("holds required line formats, and only those", () => {
    const lines = [
      { name: "source line", pattern: /^Source: \S+/, where: "last-lines" as const, required: true },
      { name: "doubt line", pattern: /^Doubt: /, where: "any-line" as const, required: false },
    ];
    expect(rulesOf("There are 12 towns [E1].\nSource: towns.csv", { lines })).toEqual([]);
    expect(rulesOf("There are 12 towns [E1].\nsource - towns.csv", { lines })).toEqual(["line-format"]);
  });

  it("takes INSUFFICIENT for a failure of its own, whatever else is missing", () => {
    expect(structureFindings("INSUFFICIENT: no table has opening dates", RULES)).toEqual([
      { rule: "insufficient", detail: "The output says that data are missing: no table has opening dates" },
    ]);
    expect(rulesOf("I looked at all tables.\n**INSUFFICIENT：** 没有开业日期")).toEqual(["insufficient"]);
    expect(rulesOf("The staff was INSUFFICIENT in 3 towns [E1].")).toEqual([]);
  });
});
