import { bytes, counted } from "../report/numbers.js";

interface Sized {
  readonly bytes: number;
}

export const sizeOf = (entries: readonly Sized[]): number => entries.reduce((sum, entry) => sum + entry.bytes, 0);

/** `3 compiled contexts, 1.2 MiB`, and the stored responses where there are any. */
export function cacheSize(contexts: readonly Sized[], responses: readonly Sized[]): string {
  const compiled = `${counted(contexts.length, "compiled context")}, ${bytes(sizeOf(contexts))}`;
  if (responses.length === 0) return compiled;
  return `${compiled}, and ${counted(responses.length, "stored response")}, ${bytes(sizeOf(responses))}`;
}
