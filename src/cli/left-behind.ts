import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { folderSize } from "./folder-size.js";

/** What a run makes for its sandboxes in the system's folder for temporary files. It removes them itself, unless it is killed. */
const OURS = /^daw-eval-(?:agent|context|doctor|port|probe|program|scratch)-\w{6}$/;
/** No run has a folder open for so long. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

interface LeftFolder {
  readonly path: string;
  readonly bytes: number;
}

/** Folders that killed runs of this user left in `temporary`: of our names, untouched for a week at `now` (milliseconds since 1970). */
export async function leftBehind(temporary: string, now: number): Promise<LeftFolder[]> {
  const found: LeftFolder[] = [];
  for (const name of await readdir(temporary).catch(() => [])) {
    if (!OURS.test(name)) continue;
    const folder = path.join(temporary, name);
    const stats = await lstat(folder).catch(() => null);
    const isOurs = stats?.isDirectory() === true && stats.uid === process.getuid?.();
    if (isOurs && now - stats.mtimeMs > WEEK_MS) found.push({ path: folder, bytes: await folderSize(folder) });
  }
  return found;
}
