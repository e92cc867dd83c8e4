/** A named part of a request that is one message. Empty parts say so, so that nobody takes them for left out. */
export function section(name: string, body: string): string {
  return `<${name}>\n${body === "" ? "(none)" : body}\n</${name}>`;
}

/** Values as JSON, a line each: a text inside cannot break out of its line. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join("\n");
}
