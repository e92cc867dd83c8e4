import { describe, expect, it } from "vitest";
import { type PlanTexts, planTexts } from "../../../src/agent/plan/prompts.js";
import { decide } from "../../../src/agent/plan.js";
import type { TrialEventBody } from "../../../src/core/event.js";
import { started } from "../../support/events.js";
import { planSet, subGoals } from "../../support/plan-events.js";
import { profileWith } from "../../support/profile.js";
import { stateAfter } from "../../support/trial.js";

const SAMPLES: Readonly<Record<string, unknown>> = { executor: 5, toolBudget: 5, vagueAccept: ["x"] };

/** Every text by its path; functions with a sample argument. */
function textsOf(texts: PlanTexts): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === "function") found.set(path, String(value(SAMPLES[path] ?? "X9")));
    else if (typeof value === "string") found.set(path, value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, path === "" ? key : `${path}.${key}`);
    }
  };
  visit(texts, "");
  return found;
}

const english = textsOf(planTexts("en"));
const chinese = textsOf(planTexts("zh"));

/** What code reads in a reply, or a model has to call by its name: the same in each language. */
const FIXED =
  /sub_goals|"goal"|"accept"|"tool_hint"|INSUFFICIENT:|\[E…\]|\[E3\]|knowledge\.md|[a-z]+(?:_[a-z]+)+|X9|\b5\b/g;
const fixedIn = (text: string | undefined) => [...new Set(text?.match(FIXED))].sort();
/** Three English words in a row are a sentence. */
const ENGLISH_SENTENCE = /\b[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}\b/;

const plan = profileWith({ agent: { strategy: "plan" } });

/** The system message of the next request of a trial with a Chinese question. */
function asked(...events: readonly TrialEventBody[]): string {
  const begin = { ...started("哪个部门的存款最多？"), language: "zh" } as const;
  const effect = decide(stateAfter(begin, ...events), plan);
  if (effect.kind === "record") return asked(...events, effect.event);
  if (effect.kind !== "call-model") throw new Error(`asked for ${effect.kind}`);
  return String(effect.request.messages[0]?.content);
}

describe("the prompts of a plan's roles", () => {
  it("exist in both languages, text by text", () => {
    expect([...chinese.keys()]).toEqual([...english.keys()]);
  });

  it.each([...chinese])("in Chinese %s is Chinese throughout", (_path, text) => {
    expect(text).toMatch(/\p{Script=Han}/u);
    expect(text).not.toMatch(ENGLISH_SENTENCE);
  });

  it.each([...english.keys()])("ask for the same keys, marks, tools and numbers in both languages: %s", (path) => {
    expect(fixedIn(chinese.get(path))).toEqual(fixedIn(english.get(path)));
  });

  it("have as many rules in both", () => {
    const rules = (text: string | undefined) => text?.match(/^\d\. /gm)?.length;
    for (const role of ["planner", "executor"]) expect(rules(chinese.get(role))).toBe(rules(english.get(role)));
  });

  it("are taken by the language of the question", () => {
    expect(asked()).toBe(chinese.get("planner"));
    expect(asked(planSet(subGoals(2)))).toContain("你是一名数据分析师");
  });
});
