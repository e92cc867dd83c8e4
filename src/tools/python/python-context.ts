import { chmod, copyFile, constants as files, mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { listContextFiles } from "../../context/context-files.js";

/** Folders as a user without any rights of ours can read them. */
export interface ReadableFolders {
  /** The folder itself, by its real path, where everyone can read all of it, else a copy of its files; asked again, the same one. */
  of(folder: string): Promise<string>;
  /** Removes the copies. */
  close(): Promise<void>;
}

/** Permission bits of others. */
const [MAY_READ, MAY_PASS] = [0o004, 0o001];

/**
 * Where we are root, bubbles start as nobody, who may be kept out of the folder where the tasks are. The files of such a context are
 * copied, once, to the system's folder for temporary files.
 */
export function readableFolders(): ReadableFolders {
  const known = new Map<string, Promise<OpenFolder>>();
  return {
    of: async (folder) => {
      const found = known.get(folder) ?? openFolder(folder);
      known.set(folder, found);
      found.catch(() => known.delete(folder));
      return (await found).path;
    },
    close: async () => {
      for (const found of known.values()) {
        const open = await found.catch(() => null);
        if (open?.is_copy === true) await rm(open.path, { recursive: true, force: true });
      }
      known.clear();
    },
  };
}

interface OpenFolder {
  readonly path: string;
  readonly is_copy: boolean;
}

/** By its real path: a link to it may stand where nobody can pass. */
async function openFolder(folder: string): Promise<OpenFolder> {
  const root = await realpath(folder);
  if ((await isOpenAbove(root)) && (await isOpenBelow(root))) return { path: root, is_copy: false };
  const copy = await mkdtemp(path.join(tmpdir(), "daw-eval-context-"));
  const { files: found } = await listContextFiles(root);
  for (const file of found) {
    const target = path.join(copy, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(file.absolute, target, files.COPYFILE_FICLONE);
    await chmod(target, 0o444);
  }
  for (const inner of await foldersBelow(copy)) await chmod(inner, 0o755);
  return { path: copy, is_copy: true };
}

async function isOpenAbove(folder: string): Promise<boolean> {
  if (((await stat(folder)).mode & MAY_PASS) === 0) return false;
  const above = path.dirname(folder);
  return above === folder || (await isOpenAbove(above));
}

async function isOpenBelow(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const { mode } = await stat(path.join(entry.parentPath, entry.name));
    if ((mode & MAY_READ) === 0) return false;
  }
  for (const inner of await foldersBelow(folder)) {
    const { mode } = await stat(inner);
    if ((mode & MAY_READ) === 0 || (mode & MAY_PASS) === 0) return false;
  }
  return true;
}

/** The folder itself and those in it. */
async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const inner = entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
  return [folder, ...inner];
}
