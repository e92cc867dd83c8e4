import { readFileSync } from "node:fs";

/** Of this package, as its package.json says. */
export function packageVersion(): string {
  const found = /"version": "([^"]+)"/.exec(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return found?.[1] ?? "unknown";
}
