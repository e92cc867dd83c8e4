import { asciiDigits } from "../../answer/number.js";

/** `１，２３４`: a full-width comma between full-width digits in threes groups them; elsewhere it parts clauses. */
const GROUPING_COMMA = /(?<=[０-９])，(?=[０-９]{3}(?![０-９]))/g;

/**
 * Text in the form in which quantities are read: digits of any script as ASCII, NFKC, one kind of minus. A Chinese comma parts numbers (`5，600` are
 * two), so it is not made an ASCII one.
 */
export function plainText(text: string): string {
  return asciiDigits(text.replaceAll(GROUPING_COMMA, ",").replaceAll("，", "、").normalize("NFKC")).replaceAll(
    /[\u2212\u2012\ufe63]/g,
    "-",
  );
}
