import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { cacheEntries, trimCache } from "../../src/context/cache.js";
import { compileContext } from "../../src/context/compile.js";
import { folderWith } from "../support/folder.js";
import { rowsOf } from "./compiled.js";

const root = path.join(import.meta.dirname, "../..");
const csv = `id,name\n${Array.from({ length: 2000 }, (_, i) => `${i},name ${i}\n`).join("")}`;

function newContext(): { readonly dir: string; readonly cache: string } {
  return { dir: folderWith({ "a.csv": csv }), cache: path.join(folderWith(), "cache") };
}

const inContexts = (cache: string) => readdirSync(path.join(cache, "contexts")).sort();

/** Compiles in another process, as the installed package does; resolves to the digest. */
async function compileElsewhere(dir: string, cache: string): Promise<string> {
  const script = `
    import { compileContext } from ${JSON.stringify(path.join(root, "dist/context/compile.js"))};
    const context = await compileContext(${JSON.stringify(dir)}, { cache_dir: ${JSON.stringify(cache)} });
    process.stdout.write(context.digest);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaint).toBe("");
  return out;
}

/** A process id that no process has any more. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("exit", resolve));
  return child.pid ?? 0;
}

function writeLock(cache: string, digest: string, owner: object): string {
  const file = path.join(cache, "contexts", `${digest}.lock`);
  writeFileSync(file, JSON.stringify(owner));
  return file;
}

describe("the cache of compiled contexts", () => {
  it("gives the same context again without reading the files another time", async () => {
    const { dir, cache } = newContext();
    const first = await compileContext(dir, { cache_dir: cache });
    const built = statSync(first.database).mtimeMs;
    const second = await compileContext(dir, { cache_dir: cache });
    expect(second).toEqual(first);
    expect(statSync(second.database).mtimeMs).toBe(built);
    expect(inContexts(cache)).toEqual([first.digest]);
  });

  it("compiles anew when a byte of the files differs, and knows a copy elsewhere as the same", async () => {
    const { dir, cache } = newContext();
    const first = await compileContext(dir, { cache_dir: cache });
    const copy = await compileContext(folderWith({ "a.csv": csv }), { cache_dir: cache });
    const other = await compileContext(folderWith({ "a.csv": csv.replace("name 7", "name 8") }), { cache_dir: cache });
    expect(copy.digest).toBe(first.digest);
    expect(other.digest).not.toBe(first.digest);
  });

  it("serves processes that compile at once: all get the same, and no half-made entry is left", async () => {
    const { dir, cache } = newContext();
    const digests = await Promise.all([
      compileElsewhere(dir, cache),
      compileElsewhere(dir, cache),
      compileContext(dir, { cache_dir: cache }).then((context) => context.digest),
      compileContext(dir, { cache_dir: cache }).then((context) => context.digest),
    ]);
    expect(new Set(digests).size).toBe(1);
    expect(inContexts(cache)).toEqual([digests[0]]);
    const context = await compileContext(dir, { cache_dir: cache });
    expect(await rowsOf(context, "SELECT count(*), max(id) FROM a")).toEqual([["2000", "1999"]]);
  });

  it("waits while a live process holds the lock, and goes on when it is gone", async () => {
    const { dir, cache } = newContext();
    const { digest, folder } = await compileContext(dir, { cache_dir: cache });
    rmSync(folder, { recursive: true });
    const lock = writeLock(cache, digest, { pid: process.pid, host: hostname(), id: "other" });
    let done = false;
    const waiting = compileContext(dir, { cache_dir: cache }).then(() => {
      done = true;
    });
    await sleep(300);
    expect(done).toBe(false);
    rmSync(lock);
    await waiting;
    expect(inContexts(cache)).toEqual([digest]);
  });

  it.each([
    ["whose process is gone", async () => ({ pid: await deadProcess(), host: hostname(), id: "x" }), 0],
    ["of another machine that is not touched any more", async () => ({ pid: 1, host: "elsewhere", id: "x" }), 120],
    ["that was torn while it was written", async () => ({}), 120],
  ])("breaks a lock %s", async (_what, owner, secondsOld) => {
    const { dir, cache } = newContext();
    const { digest, folder } = await compileContext(dir, { cache_dir: cache });
    rmSync(folder, { recursive: true });
    const lock = writeLock(cache, digest, await owner());
    const then = Date.now() / 1000 - secondsOld;
    utimesSync(lock, then, then);
    await compileContext(dir, { cache_dir: cache });
    expect(inContexts(cache)).toEqual([digest]);
  });

  it.each(["catalog.json", "values.sqlite"])("builds an entry again that lost part of its %s", async (file) => {
    const { dir, cache } = newContext();
    const first = await compileContext(dir, { cache_dir: cache });
    truncateSync(path.join(first.folder, file), 10);
    const second = await compileContext(dir, { cache_dir: cache });
    expect(second).toEqual(first);
    expect(statSync(path.join(first.folder, file)).size).toBeGreaterThan(10);
  });

  it("stops at an abort at any moment, for its reason, and leaves nothing behind", async () => {
    const dir = folderWith({ "a.csv": csv.repeat(10) });
    let aborted = 0;
    for (let wait = 0; wait < 120; wait += 3) {
      const cache = path.join(folderWith(), "cache");
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error("enough")), wait);
      const failure = await compileContext(dir, { cache_dir: cache, signal: abort.signal }).then(
        () => null,
        (reason: Error) => reason.message,
      );
      clearTimeout(timer);
      if (failure === null) continue;
      expect(failure).toBe("enough");
      expect(existsSync(path.join(cache, "contexts")) ? inContexts(cache) : []).toEqual([]);
      aborted++;
    }
    expect(aborted).toBeGreaterThan(0);
  });

  it("is trimmed from the least recently used entry on, and of what killed builders left", async () => {
    const cache = path.join(folderWith(), "cache");
    const contexts = [];
    for (const name of ["a", "b", "c"]) {
      contexts.push(await compileContext(folderWith({ "a.csv": `id\n${name}\n` }), { cache_dir: cache }));
    }
    const [a, b, c] = contexts.map((context) => context.digest);
    for (const [i, { folder }] of contexts.entries()) utimesSync(path.join(folder, "contents.json"), 100 + i, 100 + i);
    // Used again, a is now the most recently used.
    await compileContext(folderWith({ "a.csv": "id\na\n" }), { cache_dir: cache });
    const remains = path.join(
      cache,
      "contexts",
      `${"0".repeat(64)}.${hostname()}.${await deadProcess()}.${crypto.randomUUID()}.building`,
    );
    writeFileSync(remains, "");
    const entries = await cacheEntries(cache);
    expect(entries.map((entry) => entry.digest)).toEqual([b, c, a]);
    expect(entries.every((entry) => entry.bytes > 10_000)).toBe(true);
    const largest = Math.max(...entries.map((entry) => entry.bytes));
    const removed = await trimCache(cache, largest);
    expect(removed.map((entry) => entry.digest)).toEqual([b, c]);
    expect(existsSync(remains)).toBe(false);
    expect(inContexts(cache)).toEqual([a]);
    expect((await trimCache(cache, 0)).map((entry) => entry.digest)).toEqual([a]);
    expect(await cacheEntries(path.join(cache, "nowhere"))).toEqual([]);
  });
});
