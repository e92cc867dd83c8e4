import { CHINESE } from "./chinese.js";
import { ENGLISH, type Key } from "./english.js";
import { EVENT_TITLES } from "./event-titles.js";
import { inChinese } from "./phrases.js";

export type Language = "en" | "zh";

let language: Language = navigator.language.startsWith("zh") ? "zh" : "en";

export function currentLanguage(): Language {
  return language;
}

export function setLanguage(next: Language): void {
  language = next;
}

/** A text of the interface in the reader's language. */
export function t(key: Key): string {
  return (language === "zh" ? CHINESE : ENGLISH)[key];
}

/** A sentence that the report's code made, in the reader's language; text of a model, a file or an endpoint within it stays as it is. */
export function phrase(text: string): string {
  return language === "zh" ? inChinese(text) : text;
}

/** What a kind of event is called. */
export function eventTitle(type: string): string {
  const [english, chinese] = EVENT_TITLES[type] ?? [type, type];
  return language === "zh" ? chinese : english;
}
