/** The first `characters` of a text with a note of how many follow; the text itself where it is no longer. Never cuts inside a character. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return `${text.slice(0, end)}… (+${text.length - end} characters)`;
}
