/** Length of a text inside a JSON text, its quotes not counted. */
export function jsonLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** The longest beginning of a text that takes at most `room` inside a JSON text; whole characters only. */
export function beginning(text: string, room: number): string {
  let [length, used] = [0, 0];
  for (const character of text) {
    used += jsonLength(character);
    if (used > room) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** As `beginning`, from the end. */
export function ending(text: string, room: number): string {
  let [length, used] = [0, 0];
  for (const character of Array.from(text.slice(-Math.max(1, room))).reverse()) {
    used += jsonLength(character);
    if (used > room) break;
    length += character.length;
  }
  return text.slice(text.length - length);
}
