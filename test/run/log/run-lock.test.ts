import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { lockRun } from "../../../src/run/log/run-lock.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-lock-"));
});

const lockFile = () => path.join(folder, "run.lock");
const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

describe("a run's lock", () => {
  it("tells a second holder who the first is, and is free again once given back", async () => {
    const unlock = await lockRun(folder, "2026-01-01T00:00:00.000Z");
    await expect(lockRun(folder, "later")).rejects.toThrow(
      new RegExp(`process ${process.pid} on ${os.hostname()} holds .* since 2026-01-01`),
    );
    await unlock();
    expect(await exists(lockFile())).toBe(false);
    await (await lockRun(folder, "later"))();
  });

  it("is taken over from a process that is gone from this host", async () => {
    const gone = spawn(process.execPath, ["-e", "0"]);
    await once(gone, "exit");
    await writeFile(lockFile(), JSON.stringify({ pid: gone.pid, host: os.hostname(), since: "before", id: "x" }));
    const unlock = await lockRun(folder, "now");
    expect(JSON.parse(await readFile(lockFile(), "utf8"))).toMatchObject({ pid: process.pid, since: "now" });
    await unlock();
  });

  it("of another host is never taken over: only a person can know", async () => {
    await writeFile(lockFile(), JSON.stringify({ pid: 1, host: "elsewhere", since: "before", id: "x" }));
    await expect(lockRun(folder, "now")).rejects.toThrow(/elsewhere holds .*remove .*run\.lock/);
  });

  it("goes to exactly one of many who find it stale at once", async () => {
    const gone = spawn(process.execPath, ["-e", "0"]);
    await once(gone, "exit");
    await writeFile(lockFile(), JSON.stringify({ pid: gone.pid, host: os.hostname(), since: "before", id: "x" }));
    const tries = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => lockRun(folder, `try ${index}`)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("that is no lock of ours is left alone and named", async () => {
    await writeFile(lockFile(), "hello");
    await expect(lockRun(folder, "now")).rejects.toThrow(/run\.lock: not a lock that daw-eval wrote/);
    expect(await readFile(lockFile(), "utf8")).toBe("hello");
  });
});
