import { stem } from "../words/stem.js";
import { fold } from "../words/tokens.js";

/** The words of an identifier as they stand: `mean_closePrice` → `mean close Price`. */
export function spacedName(name: string): string {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}%#]+/gu, " ")
    .trim();
}

/** The words of an identifier, stemmed: `fastestLapTime`, `eye_colour_id` and `Free Meal Count (K-12)` alike. */
export function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}%#]+/u)
    .filter(Boolean)
    .map((word) => stem(fold(word)));
}
