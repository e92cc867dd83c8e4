/** `[E3]`, also several in one pair of brackets and full-width ones: an invented id must not hide in a list. */
const CITATION = /[[［【]\s*(E\d+(?:\s*[,，、;；\s]\s*E\d+)*)\s*[\]］】]/g;
const AT_START = new RegExp(`^(?:\\s*${CITATION.source})+`);

/** The evidence ids that a text cites, each once, in the order of their first mention. */
export function citedIds(text: string): readonly string[] {
  return [...new Set([...text.matchAll(CITATION)].flatMap((match) => match[1]?.match(/E\d+/g) ?? []))];
}

/** The text without its citations, so that their numbers are not taken for claims. */
export function withoutCitations(text: string): string {
  return text.replaceAll(CITATION, " ");
}

/** The citations that a text begins with, and the rest of it. */
export function leadingCitations(text: string): { readonly citations: string; readonly rest: string } {
  const citations = AT_START.exec(text)?.[0] ?? "";
  return { citations, rest: text.slice(citations.length) };
}
