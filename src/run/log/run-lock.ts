import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { isAlive } from "../../context/build-lock.js";
import { UsageError } from "../../core/errors.js";

const holderSchema = z.object({ pid: z.int().positive(), host: z.string(), since: z.string(), id: z.string() });
type Holder = z.infer<typeof holderSchema>;

/**
 * Takes a run for this process, so that no two write its log; returns a function that gives it back. Throws UsageError that says
 * who holds it. A lock whose process is gone from this host is stale and taken over; one of another host must be removed by a
 * person, who alone can know.
 */
export async function lockRun(runFolder: string, since: string): Promise<() => Promise<void>> {
  const file = path.join(runFolder, "run.lock");
  const own: Holder = { pid: process.pid, host: hostname(), since, id: randomUUID() };
  for (;;) {
    if (await create(file, own)) {
      return async () => {
        if ((await readHolder(file))?.id === own.id) await rm(file, { force: true });
      };
    }
    const holder = await readHolder(file);
    if (holder === null) continue;
    if (holder.host !== own.host || isAlive(holder.pid))
      throw new UsageError(heldBy(runFolder, file, holder, own.host));
    await takeAway(file, holder);
  }
}

/** The number of the process of this host that is at work on a run; null where none is, or nobody here can know. */
export async function processAtWork(runFolder: string): Promise<number | null> {
  const holder = await readHolder(path.join(runFolder, "run.lock")).catch(() => null);
  return holder !== null && holder.host === hostname() && isAlive(holder.pid) ? holder.pid : null;
}

/** Appears whole or not at all: written under another name and linked, so that nobody reads half a lock. */
async function create(file: string, own: Holder): Promise<boolean> {
  const draft = `${file}.${own.id}`;
  const handle = await open(draft, "w");
  await handle.writeFile(JSON.stringify(own));
  await handle.close();
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Null where the lock has gone in the meantime. Anything else in the file counts as a holder that is gone. */
async function readHolder(file: string): Promise<Holder | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file}: not a lock that daw-eval wrote; remove it if no daw-eval is at work on this run`);
  }
}

/** Moves a stale lock aside; of two who do so at once, the one that finds another lock there puts it back. */
async function takeAway(file: string, stale: Holder): Promise<void> {
  const aside = `${file}.${randomUUID()}.stale`;
  await rename(file, aside).catch(() => {});
  const moved = await readHolder(aside);
  if (moved !== null && moved.id !== stale.id) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

function heldBy(runFolder: string, file: string, holder: Holder, here: string): string {
  const who = `process ${holder.pid} on ${holder.host} holds ${runFolder} since ${holder.since}`;
  return holder.host === here
    ? `${who}: wait for it or stop it`
    : `${who}: if that machine has stopped, remove ${file} and try again`;
}
