import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const ownerSchema = z.object({ pid: z.int().positive(), host: z.string(), id: z.string() });
type LockOwner = z.infer<typeof ownerSchema>;

/** A holder shows that it lives by touching its lock so often; one not touched for so long is stale, whoever held it. */
const HEARTBEAT_MS = 5_000;
const STALE_MS = 60_000;
const LOOK_MS = 50;

/**
 * Takes the lock file, waiting while another process holds it. Returns a function that gives it back, or null as soon as `done` says
 * that there is nothing left to do. Stale locks (their process is gone from this host, or they are not touched any more) are
 * broken. Two processes may in rare cases hold the lock at once: what it guards must be right even then, only done twice.
 */
export async function takeLock(
  file: string,
  done: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<(() => Promise<void>) | null> {
  for (;;) {
    signal?.throwIfAborted();
    if (await done()) return null;
    const owner = await tryCreate(file);
    if (owner !== null) {
      const release = holdLock(file, owner);
      if (!(await done())) return release;
      await release();
      return null;
    }
    if (await isStale(file)) await breakLock(file);
    else await sleep(LOOK_MS, undefined, signal === undefined ? {} : { signal });
  }
}

async function tryCreate(file: string): Promise<LockOwner | null> {
  const owner = { pid: process.pid, host: hostname(), id: randomUUID() };
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(JSON.stringify(owner));
    await handle.close();
    return owner;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return null;
    throw error;
  }
}

function holdLock(file: string, owner: LockOwner): () => Promise<void> {
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    const current = await readOwner(file);
    if (current?.id === owner.id) await rm(file, { force: true });
  };
}

async function readOwner(file: string): Promise<LockOwner | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    return ownerSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether nobody holds the lock any more. A lock without a readable owner may be a moment old, being written: only its age counts. */
async function isStale(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  if (found === null) return false;
  if (Date.now() - found.mtimeMs > STALE_MS) return true;
  const owner = await readOwner(file);
  return owner !== null && owner.host === hostname() && !isAlive(owner.pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Moves the lock aside before it is removed, so that of two who break it only one removes it. */
async function breakLock(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}.stale`;
  await rename(file, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Whether a live process holds the lock. */
export async function isLocked(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && !(await isStale(file));
}
