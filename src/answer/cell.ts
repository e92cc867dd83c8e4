import { canonicalDate } from "./date.js";
import { canonicalNumber } from "./number.js";

export interface CellOptions {
  /** Reads `1,234.5` as a number; off by default, because the rules do not say so. */
  readonly thousands?: boolean;
}

/**
 * What a cell says, so that two spellings of one value are equal texts (rules of `kdd-columns`): nulls (`""`, null, none, nan,
 * nat, <na>, any case) are `""`; numbers are exact decimals with two places, half up; dates and times are ISO; anything else is
 * the trimmed text with CRLF as LF, case and Unicode form kept. Never throws; time and memory are linear in the text.
 */
export function normaliseCell(text: string | null, options: CellOptions = {}): string {
  const trimmed = text?.trim() ?? "";
  if (isNullWord(trimmed)) return "";
  return (
    canonicalNumber(trimmed, options.thousands ?? false) ?? canonicalDate(trimmed) ?? trimmed.replaceAll("\r\n", "\n")
  );
}

function isNullWord(trimmed: string): boolean {
  return trimmed.length <= 4 && /^(?:null|none|nan|nat|<na>)?$/i.test(trimmed);
}
