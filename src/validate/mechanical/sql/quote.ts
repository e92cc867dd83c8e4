/** A name as SQL writes it, whatever is in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL writes it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
