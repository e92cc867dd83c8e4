import { readFile } from "node:fs/promises";

export type JsonFile =
  | { readonly ok: true; readonly value: unknown; readonly note: string | null }
  /** `missing`: there is no such file; else `reason` says what is wrong with it. */
  | { readonly ok: false; readonly missing: boolean; readonly reason: string };

/**
 * Reads a JSON file that another tool wrote, in whatever encoding: UTF-8, UTF-16 with a byte-order mark, else GB18030, which is what
 * Python writes on a Chinese Windows where nobody names an encoding. Python's NaN and Infinity are read as null. Never rejects for what the file is.
 */
export async function readJsonFile(file: string): Promise<JsonFile> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return { ok: false, missing: code === "ENOENT" || code === "ENOTDIR", reason: `cannot be read (${code})` };
  }
  return readJson(bytes);
}

/** The same of a file's bytes. */
export function readJson(bytes: Uint8Array): JsonFile {
  const { text, encoding } = decoded(bytes);
  const value = parsed(text);
  if (value === undefined) {
    return { ok: false, missing: false, reason: text.trim() === "" ? "is empty" : "is torn or no JSON" };
  }
  return { ok: true, value, note: encoding === "utf-8" ? null : `is ${encoding}, not UTF-8` };
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    return { text: new TextDecoder("gb18030").decode(bytes), encoding: "gb18030" };
  }
}

/** Undefined where it is no JSON. */
function parsed(text: string): unknown {
  for (const one of [text, withoutSpecialNumbers(text)]) {
    try {
      return JSON.parse(one);
    } catch {
      // The other reading, or none.
    }
  }
  return undefined;
}

/** Strings are matched whole, so that what stands in them stays. */
function withoutSpecialNumbers(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) =>
    found.startsWith('"') ? found : "null",
  );
}
