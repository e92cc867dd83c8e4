/** Two adjacent columns that hold a person's first and last name, by their headers. */
export interface NameColumns {
  /** Positions in the table. */
  readonly first: number;
  readonly last: number;
}

/** As words, for `ballast` is no last name. */
const FIRST = /(?<![a-z])(?:first|given)|forename/;
const LAST = /(?<![a-z])(?:last|family)|surname/;

/** Adjacent columns, in either order, of which one header says first/given/forename (名) and the other last/family/surname (姓). */
export function nameColumns(headers: readonly string[]): NameColumns[] {
  const parts = headers.map(namePart);
  return parts.flatMap((part, column) => {
    const next = parts[column + 1];
    if (part === "first" && next === "last") return [{ first: column, last: column + 1 }];
    if (part === "last" && next === "first") return [{ first: column + 1, last: column }];
    return [];
  });
}

/** Which part of a name a header says; null for none or both (`first_last_name`, 姓名). */
function namePart(header: string): "first" | "last" | null {
  const words = header.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const first = FIRST.test(words) || words.includes("名");
  const last = LAST.test(words) || words.includes("姓");
  if (first === last) return null;
  return first ? "first" : "last";
}

/** The full name of two cells: `first last`; one of them alone where the other is empty. */
export function fullName(first: string, last: string): string {
  return `${first} ${last}`.trim();
}
