import { related } from "../words/stem.js";
import { synonymous } from "../words/thesaurus.js";

/** How well a question's word names a word of a column: 1 same, less for kinship, 0 none. Both are stems. */
export function wordMatch(asked: string, word: string): number {
  if (asked === word) return 1;
  if (asked === "id" && /^[a-z]{1,3}id$/.test(word)) return 0.85;
  if (related(asked, word)) return 0.85;
  if (synonymous(asked, word)) return 0.75;
  return abbreviates(word, asked) || abbreviates(asked, word) ? 0.7 : 0;
}

/** `alt` of altitude, `qty` of quantity, `avg` of average, `dept` of department. */
export function abbreviates(short: string, long: string): boolean {
  if (short.length < 2 || short.length > 5 || long.length < short.length + 2 || short[0] !== long[0]) return false;
  if (!/^[a-z]+$/.test(short)) return false;
  if (long.startsWith(short)) return short.length >= 3 || long.length >= 8;
  if (!isSubsequence(short, long)) return false;
  return !/[aeiou]/.test(short.slice(1)) ? short.length >= 3 : short.slice(0, 3) === long.slice(0, 3);
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
