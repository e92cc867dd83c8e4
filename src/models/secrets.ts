import { isSecretValue } from "../core/environment.js";

/** Puts `***` in the place of secrets. */
export interface Scrubber {
  text(text: string): string;
  /** Of every text in parsed JSON, at any depth, the keys of objects too. */
  json(value: unknown): unknown;
}

/** A scrubber for these values, as they are and as they stand in URLs and JSON. */
export function scrubberFor(values: readonly string[]): Scrubber {
  const secrets = [...new Set(values.filter(isSecretValue).flatMap(spellings))]
    // One that contains another goes first, lest its rest stays.
    .toSorted((a, b) => b.length - a.length);
  const text = (dirty: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), dirty);
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner)]));
  };
  return { text, json };
}

function spellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  return [value, encodeURIComponent(value), json, json.replaceAll("/", "\\/")];
}
