/** Languages that our prompts are written in. */
export type Language = "en" | "zh";

/** Chinese prompts for a question that is mostly written in Chinese characters, else English. */
export function languageOf(question: string): Language {
  const han = question.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = question.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  return han > latin ? "zh" : "en";
}
