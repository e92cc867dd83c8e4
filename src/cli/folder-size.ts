import { lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** Bytes of all files below a folder, links not followed; 0 where there is no such folder. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderSize(file);
    // A file may be gone since it was listed: runs and caches are in use.
    else
      bytes += await lstat(file).then(
        (found) => found.size,
        () => 0,
      );
  }
  return bytes;
}
