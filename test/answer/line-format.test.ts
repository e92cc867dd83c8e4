import { describe, expect, it } from "vitest";
import { checkLines, type LinePlace, type LineRule } from "../../src/answer/line-format.js";

const SOURCES = /^来源：\s*\S+(?:[、,]\s*\S+)*$/u;
const rule = (where: LinePlace, pattern = SOURCES): LineRule => ({ name: "sources", pattern, where, required: true });
const complies = (text: string | null, where: LinePlace, pattern?: RegExp) =>
  checkLines(text, [rule(where, pattern)])[0]?.complied;

describe("a line rule", () => {
  it("finds its line among the last three that are not blank", () => {
    expect(complies("结论。\n\n来源：deposits、orders\n", "last-lines")).toBe(true);
    expect(complies("来源：deposits\n口径：按月\n时间：6 月\n\n", "last-lines")).toBe(true);
    expect(complies("来源：deposits\n一\n二\n三", "last-lines")).toBe(false);
  });

  it("finds it in the first line only, or in any", () => {
    const text = "\n来源：deposits\n结论一\n结论二\n结论三\n结论四";
    expect(complies(text, "first-line")).toBe(true);
    expect(complies(`标题\n${text}`, "first-line")).toBe(false);
    expect(complies(`标题\n${text}`, "any-line")).toBe(true);
  });

  it("takes the form as it is written, not something like it", () => {
    for (const line of ["来源:deposits", "数据来源：deposits", "**来源：** deposits", "来源：", "见来源：deposits"]) {
      expect(complies(line, "any-line")).toBe(false);
    }
  });

  it("says which line complied", () => {
    expect(checkLines("a\r\n来源：deposits  \r\n", [rule("any-line")])).toEqual([
      { name: "sources", required: true, complied: true, line: "来源：deposits" },
    ]);
  });

  it("is not complied with by a conclusion that is empty or not there", () => {
    for (const text of [null, "", "\n \n"]) expect(complies(text, "any-line", /x*/u)).toBe(false);
  });

  it("gives the same answer every time, whatever the flags of its pattern", () => {
    const global = rule("any-line", /^来源/gu);
    const twice = [1, 2].map(() => checkLines("来源：a", [global])[0]?.complied);
    expect(twice).toEqual([true, true]);
  });
});
