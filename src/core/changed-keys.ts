import { stableJson } from "./digest.js";
import { isRecord } from "./json.js";

export interface ChangedKey {
  /** Dotted. */
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The keys at any depth whose values differ; a list is one value. */
export function changedKeys(before: unknown, after: unknown, prefix = ""): ChangedKey[] {
  if (!isRecord(before) || !isRecord(after)) {
    return stableJson({ value: before }) === stableJson({ value: after }) ? [] : [{ key: prefix, before, after }];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changedKeys(before[key], after[key], prefix === "" ? key : `${prefix}.${key}`),
  );
}
