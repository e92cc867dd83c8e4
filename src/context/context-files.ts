import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { Uncertainty } from "../core/catalog.js";
import { UsageError } from "../core/errors.js";

/** A regular file of a context, or what stands in its place. */
export interface ContextFile {
  /** Relative to the context, `/`-separated, Unicode NFC, so that it is the same on every machine. */
  readonly path: string;
  /** Where to read it, absolute. */
  readonly absolute: string;
  readonly bytes: number;
  /** Milliseconds; only used to see that a file did not change while it was read. */
  readonly modified: number;
}

export interface ContextListing {
  /** Sorted by path, code unit order. */
  readonly files: readonly ContextFile[];
  /** Entries that are not read, with the reason; sorted by path. */
  readonly refused: readonly Uncertainty[];
}

/** What desktop systems and git leave in folders: no data, and different on every machine. */
const JUNK = /^(?:\.DS_Store|\.git|\.gitkeep|Thumbs\.db|desktop\.ini|__MACOSX|\._.*|\.~lock\..*#|~\$.*)$/;

/**
 * Lists the files below `dir`, recursively. Symbolic links are followed to files inside the context only; links to
 * folders are not followed, because what they lead to inside is listed where it really is. Throws UsageError when `dir` is not a
 * folder.
 * Synchronous inside, because for the usual few files that is an order of magnitude faster, and every trial waits for it.
 */
export async function listContextFiles(dir: string): Promise<ContextListing> {
  const root = orNull(() => realpathSync.native(dir));
  if (root === null || !statSync(root).isDirectory()) {
    throw new UsageError(`${dir}: no such folder; a task's context is a folder with its data`);
  }
  const files: ContextFile[] = [];
  const refused: Uncertainty[] = [];
  walk(root, "", root, files, refused);
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    files: files.sort((a, b) => byText(a.path, b.path)),
    refused: refused.sort((a, b) => byText(a.source, b.source)),
  };
}

function walk(folder: string, prefix: string, root: string, files: ContextFile[], refused: Uncertainty[]): void {
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === null) {
    const detail = "The folder may not be opened by this user; nothing in it was read.";
    refused.push({ source: prefix, code: "unreadable", detail });
    return;
  }
  for (const entry of entries) {
    if (JUNK.test(entry.name)) continue;
    const absolute = path.join(folder, entry.name);
    const relative = `${prefix}${entry.name.normalize("NFC")}`;
    if (entry.isDirectory()) walk(absolute, `${relative}/`, root, files, refused);
    else if (entry.isSymbolicLink()) addLink(absolute, relative, root, files, refused);
    else if (entry.isFile()) addFile(absolute, relative, files, refused);
    else refused.push(notRegular(relative));
  }
}

function addLink(absolute: string, relative: string, root: string, files: ContextFile[], refused: Uncertainty[]): void {
  const target = orNull(() => realpathSync.native(absolute));
  if (target === null) {
    refused.push({
      source: relative,
      code: "broken-link",
      detail: "The symbolic link leads nowhere; nothing was read.",
    });
    return;
  }
  if (target !== root && !target.startsWith(root + path.sep)) {
    const detail = "The symbolic link leads outside the context; it was not followed.";
    refused.push({ source: relative, code: "link-outside", detail });
    return;
  }
  const found = statSync(target);
  if (found.isFile()) addFile(target, relative, files, refused);
  else if (found.isDirectory()) {
    const detail = "The symbolic link leads to a folder of the context, which is read where it really is.";
    refused.push({ source: relative, code: "link-to-folder", detail });
  } else refused.push(notRegular(relative));
}

function addFile(absolute: string, relative: string, files: ContextFile[], refused: Uncertainty[]): void {
  const found = orNull(() => lstatSync(absolute));
  if (found === null) {
    const detail = "The file cannot be opened by its name, which is not UTF-8; it was not read.";
    refused.push({ source: relative, code: "unreadable", detail });
  } else files.push({ path: relative, absolute, bytes: found.size, modified: found.mtimeMs });
}

function notRegular(source: string): Uncertainty {
  return {
    source,
    code: "not-a-file",
    detail: "Neither a file nor a folder (a pipe, socket or device); it was not opened.",
  };
}

/** What the system says, null where it refuses. */
function orNull<Found>(ask: () => Found): Found | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
