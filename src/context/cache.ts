import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import type { Catalog } from "../core/catalog.js";
import { isAlive, isLocked, takeLock } from "./build-lock.js";
import { catalogSchema } from "./catalog-file.js";

/** One compiled context in the cache. */
export interface CacheEntry {
  readonly digest: string;
  readonly folder: string;
  readonly bytes: number;
  /** When it was last used, milliseconds since 1970. */
  readonly used: number;
}

const CATALOG = "catalog.json";
/** Names and sizes of the entry's files: an entry that lost some of them (a full disk, a crash) is built again. */
const CONTENTS = "contents.json";
const contentsSchema = z.record(z.string(), z.int().nonnegative());

/** Where the compiled context of a digest is, or is going to be. */
export function entryFolder(cacheDir: string, digest: string): string {
  return path.join(contextsDir(cacheDir), digest);
}

/**
 * The catalog of a compiled context, from the cache or built now. `build` fills an empty folder and returns the catalog; it runs
 * under a lock beside the entry's place and what it made is renamed into place, so that nobody ever sees half of it. Of two
 * processes that want the same entry one builds and the other waits.
 */
export async function cachedEntry(
  cacheDir: string,
  digest: string,
  build: (folder: string) => Promise<Catalog>,
  signal?: AbortSignal,
): Promise<Catalog> {
  await mkdir(contextsDir(cacheDir), { recursive: true });
  const place = entryFolder(cacheDir, digest);
  let found: Catalog | null = null;
  const present = async () => {
    found = await readEntry(place);
    return found !== null;
  };
  const release = await takeLock(lockFile(cacheDir, digest), present, signal);
  if (release === null) {
    if (found === null) throw new Error("a cache entry was there and is not");
    return found;
  }
  const building = path.join(contextsDir(cacheDir), `${digest}.${hostname()}.${process.pid}.${randomUUID()}.building`);
  try {
    await mkdir(building);
    const catalog = await build(building);
    await writeFile(path.join(building, CATALOG), JSON.stringify(catalog));
    await writeFile(path.join(building, CONTENTS), JSON.stringify(await sizesIn(building)));
    await moveIntoPlace(building, place);
    return catalog;
  } finally {
    await rm(building, { recursive: true, force: true });
    await release();
  }
}

/** Reads an entry and marks it as used; null when there is none, or not all of it. */
async function readEntry(place: string): Promise<Catalog | null> {
  try {
    const contents = contentsSchema.parse(JSON.parse(await readFile(path.join(place, CONTENTS), "utf8")));
    for (const [file, bytes] of Object.entries(contents)) {
      if ((await stat(path.join(place, file))).size !== bytes) return null;
    }
    const catalog = catalogSchema.parse(JSON.parse(await readFile(path.join(place, CATALOG), "utf8")));
    const now = new Date();
    await utimes(path.join(place, CONTENTS), now, now);
    return catalog;
  } catch {
    return null;
  }
}

/** What stands in the place already is another builder's equal entry, or the remains of one that cannot be read. */
async function moveIntoPlace(building: string, place: string): Promise<void> {
  if ((await readEntry(place)) !== null) return;
  const old = `${place}.${randomUUID()}.old`;
  await rename(place, old).catch(() => undefined);
  await rm(old, { recursive: true, force: true });
  await rename(building, place).catch(async (error: unknown) => {
    if ((await readEntry(place)) === null) throw error;
  });
}

/** All entries, least recently used first. */
export async function cacheEntries(cacheDir: string): Promise<readonly CacheEntry[]> {
  const names = await readdir(contextsDir(cacheDir)).catch(() => []);
  const entries: CacheEntry[] = [];
  for (const digest of names.filter((name) => /^[0-9a-f]{64}$/.test(name))) {
    const folder = entryFolder(cacheDir, digest);
    const used = await stat(path.join(folder, CONTENTS)).catch(() => stat(folder).catch(() => null));
    if (used === null) continue;
    const sizes = Object.values(await sizesIn(folder));
    entries.push({ digest, folder, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0), used: used.mtimeMs });
  }
  return entries.sort((a, b) => a.used - b.used || (a.digest < b.digest ? -1 : 1));
}

/**
 * Removes the least recently used entries until at most `maxBytes` are left, and what killed builders left behind. An entry that is
 * being built is kept. Returns the removed entries.
 */
export async function trimCache(cacheDir: string, maxBytes: number): Promise<readonly CacheEntry[]> {
  await removeRemains(cacheDir);
  const entries = await cacheEntries(cacheDir);
  let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const removed: CacheEntry[] = [];
  for (const entry of entries) {
    if (total <= maxBytes) break;
    if (await isLocked(lockFile(cacheDir, entry.digest))) continue;
    await rm(entry.folder, { recursive: true, force: true });
    total -= entry.bytes;
    removed.push(entry);
  }
  return removed;
}

/** Unfinished builds whose process is gone, and locks that nobody holds. */
async function removeRemains(cacheDir: string): Promise<void> {
  const folder = contextsDir(cacheDir);
  for (const name of await readdir(folder).catch(() => [])) {
    const full = path.join(folder, name);
    const [, host, pid] = /^[0-9a-f]{64}\.(.+)\.(\d+)\.[0-9a-f-]{36}\.building$/.exec(name) ?? [];
    if (pid !== undefined && host === hostname() && !isAlive(Number(pid)))
      await rm(full, { recursive: true, force: true });
    if (/\.(?:old|stale)$/.test(name)) await rm(full, { recursive: true, force: true });
    if (name.endsWith(".lock") && !(await isLocked(full))) await rm(full, { force: true });
  }
}

function contextsDir(cacheDir: string): string {
  return path.join(path.resolve(cacheDir), "contexts");
}

function lockFile(cacheDir: string, digest: string): string {
  return path.join(contextsDir(cacheDir), `${digest}.lock`);
}

/** Relative path → bytes of every file below a folder. */
async function sizesIn(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const full = path.join(entry.parentPath, entry.name);
    sizes[path.relative(folder, full).split(path.sep).join("/")] = (await stat(full)).size;
  }
  return sizes;
}
