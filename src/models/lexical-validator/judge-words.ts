import { type Language, languageOf } from "../../core/language.js";
import type { ModelRequest } from "../../core/message.js";
import { partOf } from "./request-parts.js";

/** What the embedded baseline says as the judge of a goal. */
export interface JudgeWords {
  readonly none: string;
  readonly met: string;
  readonly gaveUp: string;
  readonly nothing: string;
  readonly silentOn: (what: string) => string;
  readonly tooFew: (items: number, least: number) => string;
}

const WORDS: Readonly<Record<Language, JudgeWords>> = {
  en: {
    none: "none",
    met: "It says something definite about what was asked.",
    gaveUp: "It says that it found nothing.",
    nothing: "It says nothing definite.",
    silentOn: (what) => `It does not speak of ${what}.`,
    tooFew: (items, least) => `It has ${items} items, and at least ${least} were asked for.`,
  },
  zh: {
    none: "无",
    met: "对所问的内容给出了确定的说法。",
    gaveUp: "产出说没有找到任何内容。",
    nothing: "产出没有说出任何确定的内容。",
    silentOn: (what) => `产出没有提到${what}。`,
    tooFew: (items, least) => `产出只有 ${items} 项，要求至少 ${least} 项。`,
  },
};

/** The words of the task's language. */
export function judgeWords(request: ModelRequest): JudgeWords {
  return WORDS[languageOf(partOf(request, "task"))];
}
