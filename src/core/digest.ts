import { createHash } from "node:crypto";

/** SHA-256 of text or bytes, lower-case hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** JSON with object keys sorted at every depth, so that equal values have equal text. `undefined` members are left out. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** SHA-256 of `stableJson(value)`, lower-case hex. */
export function digestOf(value: unknown): string {
  return sha256(stableJson(value));
}
