import { readFile } from "node:fs/promises";

/** A conclusion's text; null where there is no such file, or it is not UTF-8 text. Rejects where it cannot be read at all. */
export async function readConclusion(file: string | null): Promise<string | null> {
  if (file === null) return null;
  const bytes = await readFile(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  });
  return bytes === null ? null : new TextDecoder("utf-8").decode(bytes);
}
