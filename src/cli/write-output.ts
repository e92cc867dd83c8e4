import { writeFile } from "node:fs/promises";
import { UsageError } from "../core/errors.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder is not there",
  ENOTDIR: "its folder is a file",
  EISDIR: "is a folder, not a file",
  EACCES: "no permission to write it",
};

/** Writes a file that a person named with a flag. Throws UsageError, by that name, where there is no such place. */
export async function writeOutput(flag: string, file: string, text: string): Promise<void> {
  await placed(flag, file, () => writeFile(file, text));
}

/** Does what writes the file of a flag; see `writeOutput`. */
export async function placed(flag: string, file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const isOfFile = error instanceof Error && "code" in error && "path" in error && error.path === file;
    const reason = isOfFile ? REASONS[String(error.code)] : undefined;
    throw reason === undefined ? error : new UsageError(`${flag} ${file}: ${reason}`);
  }
}
