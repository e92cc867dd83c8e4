import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areClose } from "../../../src/agent/plan/closeness.js";
import { fingerprintOf, isDeadEnd } from "../../../src/agent/plan/fingerprint.js";
import { readPlan, vagueWords } from "../../../src/agent/plan/planner-reply.js";

const plan = (...goals: readonly string[]) => fingerprintOf(goals.map((goal) => ({ goal })));

describe("a plan that failed", () => {
  const dead = plan("Collect the monthly sales of 2019 from the orders table", "Rank the shops by sales");

  it.each([
    ["in another order", plan("Rank the shops by sales", "Collect the monthly sales of 2019 from the orders table")],
    [
      "with filler",
      plan(
        "First, carefully collect all the monthly sales of 2019 from the orders table",
        "Then please rank shops by their sales",
      ),
    ],
    ["in plural and capitals", plan("COLLECT monthly sale of 2019 from the Orders tables", "rank the shop by sales")],
  ])("is recognised %s", (_, other) => {
    expect(isDeadEnd(other, [["unrelated"], dead])).toBe(true);
  });

  it("is recognised in Chinese, where words have no spaces between them", () => {
    const failed = plan("统计每个月的销售额", "按销售额给门店排序");
    expect(isDeadEnd(plan("首先统计每个月的销售额", "然后请按销售额给所有门店排序"), [failed])).toBe(true);
    expect(isDeadEnd(plan("读取退货政策文档", "计算退货率最高的商品"), [failed])).toBe(false);
  });

  it("is not seen in a different one, nor where nothing failed", () => {
    expect(isDeadEnd(plan("Read the returns policy", "Join refunds with customers"), [dead])).toBe(false);
    expect(isDeadEnd(dead, [])).toBe(false);
  });

  it("is recognised by its own words in any order", () => {
    const word = fc.stringMatching(/^[a-z]{4,9}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 3, maxLength: 12 }), (words) => {
        expect(isDeadEnd(plan(words.toReversed().join(" the ")), [plan(words.join(" "))])).toBe(true);
      }),
    );
  });
});

describe("goals", () => {
  it.each([
    ["List the colours of the fruit", "List the colours of the fruits", true],
    ["列出水果的所有颜色", "列出水果的全部颜色。", false],
    ["列出水果的所有颜色及其数量和重量", "列出水果的所有颜色及其数量与重量", true],
    ["Sum the sales of 2019 by month", "Sum the sales of 2018 by month", false],
    ["Sum the yearly sales of the shops in Germany", "Sum the yearly sales of the shops in Hungary", false],
    ['Count the orders of status "open" by customer', 'Count the orders of status "paid" by customer', false],
    ["Count the fruit", "Weigh every apple", false],
  ])("%j and %j are close: %s", (left, right, close) => {
    expect(areClose(left, right)).toBe(close);
    expect(areClose(right, left)).toBe(close);
    expect(areClose(left, left)).toBe(true);
  });
});

describe("a planner's reply", () => {
  const goal = { goal: "a", accept: "b" };

  it("is two to six sub-goals, bare or in a fence, and says what is wrong with it where it is not", () => {
    expect(readPlan(JSON.stringify({ sub_goals: [goal, { ...goal, tool_hint: "read_doc", id: "mine" }] }))).toEqual({
      ok: true,
      goals: [
        { ...goal, tool_hint: null },
        { ...goal, tool_hint: "read_doc" },
      ],
    });
    expect(readPlan(`Here:\n\`\`\`json\n${JSON.stringify({ sub_goals: [goal, goal] })}\n\`\`\``).ok).toBe(true);
    expect(readPlan("1. collect 2. analyse")).toEqual({ ok: false, problem: "it holds no JSON object" });
    expect(readPlan(JSON.stringify({ sub_goals: [goal] }))).toMatchObject({ ok: false });
    expect(readPlan(JSON.stringify({ sub_goals: Array(7).fill(goal) }))).toMatchObject({ ok: false });
    expect(readPlan(JSON.stringify({ sub_goals: [goal, { goal: "a", accept: " " }] }))).toMatchObject({ ok: false });
    expect(readPlan(null).ok).toBe(false);
  });

  it("has vague criteria where anything could meet them", () => {
    expect(vagueWords([{ accept: "A reasonable and Appropriate list" }, { accept: "结论合理，条目适当" }])).toEqual([
      "reasonable",
      "appropriate",
      "合理",
      "适当",
    ]);
    expect(
      vagueWords([{ accept: "at least 3 rows, each with its year" }, { accept: "至少 3 条，每条带来源" }]),
    ).toEqual([]);
  });
});
