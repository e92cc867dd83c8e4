/** The legal values of a check, distinct and in the database's order, or why they could not be had. */
export type DomainReply =
  | { readonly ok: true; readonly values: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Runs a check's `domain_sql` where its first line says, read-only and with a timeout. Trouble of any kind is a value, since a
 * check that cannot be made must not stop the others; rejects only on bugs.
 */
export type DomainQuery = (sql: string) => Promise<DomainReply>;
