import { describe, expect, it } from "vitest";
import { languageOf } from "../../src/core/language.js";
import { createLexicalModel } from "../../src/models/lexical/lexical-model.js";
import { parseGoalReply } from "../../src/validate/verification/goal-reply.js";
import { type GoalMaterial, goalRequest } from "../../src/validate/verification/goal-request.js";
import { NO_IMAGES } from "../support/images.js";
import { profileWith } from "../support/profile.js";

const profile = profileWith({});
const model = createLexicalModel(profile.model);
const call = {
  signal: new AbortController().signal,
  on_retry: async () => {},
  on_wait: () => {},
  asked_before: 0,
  images: NO_IMAGES,
};

async function judged(material: GoalMaterial) {
  const request = goalRequest(material, profile, { language: languageOf(material.task), seed: 1 });
  const [first, again] = [await model.respond(request, call), await model.respond(request, call)];
  const content = first.ok ? first.response.content : null;
  expect(again.ok && again.response.content).toBe(content);
  const parsed = parseGoalReply(content);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.reply;
}

const ENGLISH = {
  task: "Which library branches lent the most books in 2021?",
  sub_goal: "Rank the library branches by books lent in 2021",
  accept: "at least three branches, each with its number of books",
};
const CHINESE = {
  task: "2021 年各分馆借出了多少册图书？",
  sub_goal: "统计各分馆 2021 年借出的图书册数",
  accept: "至少三个分馆，每个分馆都有册数",
};
const score = async (material: Omit<GoalMaterial, "output">, output: string) =>
  (await judged({ ...material, output })).score;

describe("the embedded baseline as goal judge", () => {
  it("passes an output that says something definite about what was asked", async () => {
    const output = "Books lent in 2021 by branch:\n- Harbour: 8,112 [E1]\n- Mill Lane: 7,940 [E1]\n- Abbey: 5,003 [E1]";
    expect(await judged({ ...ENGLISH, output })).toMatchObject({ score: 0.9, problem: null });
    expect(
      await score(CHINESE, "2021 年各分馆借出图书：港口分馆 8112 册，磨坊分馆 7940 册，修道院分馆 5003 册 [E1]。"),
    ).toBe(0.9);
  });

  it("calls it partly met where a year or items that were asked for are missing", async () => {
    const two = "Books lent in 2021 by branch:\n- Harbour: 8,112 [E1]\n- Mill Lane: 7,940 [E1]";
    expect(await score(ENGLISH, two)).toBe(0.6);
    expect(await score(ENGLISH, `${two.replace("2021", "2020")}\n- Abbey: 5,003 [E1]`)).toBe(0.6);
    expect(
      await score(CHINESE, "2020 年各分馆借出图书：港口分馆 8112 册，磨坊分馆 7940 册，修道院 5003 册 [E1]。"),
    ).toBe(0.6);
  });

  it("says what is wrong in the task's language", async () => {
    const judge = async (material: typeof ENGLISH, output: string) => (await judged({ ...material, output })).problem;
    expect(await judge(ENGLISH, "The number of books could not be found.")).toBe("It says that it found nothing.");
    const chinese = "2021 年各分馆借出图书：港口分馆 8112 册，磨坊分馆 7940 册";
    expect(await judge(CHINESE, chinese.replace("2021", "2020"))).toBe("产出没有提到2021。");
  });

  it("reads a text of 40,000 words", async () => {
    const output = `${"The reading room was open. ".repeat(8000)} Harbour lent 8,112 books to its branches in 2021, Mill 7, Abbey 5.`;
    expect(await score({ ...ENGLISH, accept: null }, output)).toBe(0.9);
    expect(
      await score({ ...CHINESE, accept: null }, `${"阅览室开放。".repeat(8000)}2021 年各分馆借出图书 8112 册。`),
    ).toBe(0.9);
  });

  it("calls it not met where the output is empty of content, of something else, or gives up", async () => {
    expect(await score(ENGLISH, "The analysis of the library branches was completed as requested.")).toBeLessThan(0.5);
    expect(
      await score(ENGLISH, "The harbour festival drew 4,000 visitors and closed on a rainy Sunday evening."),
    ).toBeLessThan(0.5);
    expect(await score(ENGLISH, "The number of books could not be found.")).toBeLessThan(0.5);
    expect(await score(CHINESE, "已经按照要求完成了相关分析，结果符合标准。")).toBeLessThan(0.5);
    expect(await score(CHINESE, "港口节吸引了 4000 名游客，因为下雨在周日晚上提前闭幕。")).toBeLessThan(0.5);
  });
});
