import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { SandboxError } from "../../../src/core/ports/query-worker.js";
import type { Sandbox, SandboxJob, SandboxKind, SandboxRun } from "../../../src/core/ports/sandbox.js";
import { createPlaces } from "../../../src/tools/python/python-places.js";
import { createSandbox } from "../../../src/tools/python/python-sandbox.js";
import { folderWith } from "../../support/folder.js";
import { processesWith, until } from "../../support/processes.js";
import { noSandbox, sandboxed } from "../../support/sandbox.js";

let sandbox: Sandbox | null = null;
afterEach(async () => {
  await sandbox?.close();
  sandbox = null;
});

const JOB: Omit<SandboxJob, "context_dir"> = {
  timeout_ms: 20_000,
  memory_bytes: 2 ** 31,
  signal: new AbortController().signal,
  query: () => Promise.reject(new Error("no tables here")),
  on_wait: () => {},
};

function run(code: string, more: Partial<SandboxJob> = {}, kind: SandboxKind = "bwrap"): Promise<SandboxRun> {
  sandbox ??= createSandbox(kind);
  return sandbox.run(code, { ...JOB, context_dir: more.context_dir ?? folderWith({ "a.txt": "a" }), ...more });
}

/** Code that leaves a process behind which is in no group of ours and keeps the output open. */
const leaver = (marker: string, then = "") =>
  `import subprocess\nsubprocess.Popen(["/bin/sh", "-c", "sleep 60; echo ${marker}"], start_new_session=True)\nprint("left", flush=True)\n${then}`;

describe.skipIf(noSandbox !== null)(sandboxed("the sandbox"), () => {
  it.each([
    ["ends well", "", "finished"],
    ["runs into its time limit", "while True: pass", "timeout"],
  ])("leaves no process behind when the code %s", async (_how, then, ending) => {
    const marker = `marker-${randomUUID()}`;
    const result = await run(leaver(marker, then), { timeout_ms: 1500 });
    expect(result).toMatchObject({ ending: { kind: ending }, stdout: { text: "left\n" } });
    await until(() => processesWith(marker).length === 0, 2000);
  });

  it("leaves none when the trial is aborted", async () => {
    const marker = `marker-${randomUUID()}`;
    const controller = new AbortController();
    const running = run(leaver(marker, "while True: pass"), { signal: controller.signal });
    await until(() => processesWith(`echo ${marker}`).length > 0);
    controller.abort(new Error("called off"));
    await expect(running).rejects.toThrow("called off");
    await until(() => processesWith(marker).length === 0, 2000);
  });

  it("ends what runs, and refuses the rest, when it is closed", async () => {
    const marker = `marker-${randomUUID()}`;
    const running = run(leaver(marker, "while True: pass"));
    await until(() => processesWith(`echo ${marker}`).length > 0);
    await Promise.all([sandbox?.close(), expect(running).rejects.toThrow("the sandbox is closed")]);
    await until(() => processesWith(marker).length === 0, 2000);
    await expect(run("print(1)")).rejects.toThrow("the sandbox is closed");
  });

  it("does not count the time that a query waits for its process, only the query's work", async () => {
    const slow: SandboxJob["query"] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return { ok: true, table: { columns: ["n"], types: ["BIGINT"], rows: [["1"]] }, truncated: false, ms: 1 };
    };
    const result = await run("print(query_rows('SELECT 1'))", { query: slow, timeout_ms: 1200 });
    expect(result.ending).toEqual({ kind: "finished" });
    const busy: SandboxJob["query"] = async (sql, left, signal) => ({ ...(await slow(sql, left, signal)), ms: 1500 });
    expect((await run("query_rows('x')\nwhile True: pass", { query: busy, timeout_ms: 1200 })).ending.kind).toBe(
      "timeout",
    );
  });

  it("rejects with what the query worker rejects with: no answer is no fault of the code", async () => {
    const broken = new SandboxError("no query process can be started");
    await expect(run("query_rows('x')", { query: () => Promise.reject(broken) })).rejects.toBe(broken);
  });

  it("says that Python does not start where it does not, as infrastructure", async () => {
    const starved = run("print(1)", { memory_bytes: 8 * 2 ** 20 });
    await expect(starved).rejects.toThrow(/^Python does not start: /);
    await expect(starved).rejects.toBeInstanceOf(SandboxError);
  });

  it("shows a context that only its owner may read, also where it starts as nobody", async () => {
    const folder = folderWith({ "context/csv/数据 1.csv": "a\n1\n", "gold.csv": "secret" });
    const context_dir = path.join(folder, "context");
    symlinkSync("../gold.csv", path.join(context_dir, "link.csv"));
    mkdirSync(path.join(context_dir, "empty"));
    for (const closed of [folder, context_dir]) chmodSync(closed, 0o700);
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("daw-eval-context-"));
    const code = `
import os
print(open(CTX + "/csv/数据 1.csv").read().split(), os.path.exists(CTX + "/link.csv"))
try: open(CTX + "/csv/new", "w")
except OSError as e: print(type(e).__name__, e.errno)`;
    expect((await run(code, { context_dir })).stdout.text).toBe("['a', '1'] False\nOSError 30\n");
    await sandbox?.close();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("daw-eval-context-"))).toEqual(before);
  });

  it("shows a context that everyone may read through a link in a folder that nobody may pass, and leaves it where it is", async () => {
    const [real, closed] = [folderWith({ "csv/a.csv": "a\n1\n" }), folderWith()];
    chmodSync(real, 0o755);
    symlinkSync(real, path.join(closed, "context"));
    const { stdout } = await run('print(open(CTX + "/csv/a.csv").read().split())', {
      context_dir: path.join(closed, "context"),
    });
    expect(stdout.text).toBe("['a', '1']\n");
    await sandbox?.close();
    expect(existsSync(path.join(real, "csv", "a.csv"))).toBe(true);
  });
});

describe.skipIf(!existsSync("/usr/bin/python3"))("Python without a sandbox (unsafe-none)", () => {
  it("runs in an empty environment and in a new folder each time, which goes with it", async () => {
    const first = await run("import os\nopen('x', 'w')\nprint(os.getcwd(), sorted(os.environ))", {}, "unsafe-none");
    const [folder = "", ...names] = first.stdout.text.split(" ");
    expect(names.join(" ")).not.toMatch(/HOSTNAME|USER|npm_/);
    expect(existsSync(folder)).toBe(false);
    const second = await run("import os\nprint(os.listdir('.'), open(CTX + '/a.txt').read())", {}, "unsafe-none");
    expect(second.stdout.text).toBe("[] a\n");
  });

  it("does not wait for a process that was left behind and keeps the output open", async () => {
    const marker = `marker-${randomUUID()}`;
    const result = await run(leaver(marker), {}, "unsafe-none");
    expect(result).toMatchObject({ ending: { kind: "finished" }, stdout: { text: "left\n" } });
    for (const pid of processesWith(marker)) process.kill(pid, "SIGKILL");
  });
});

describe("places", () => {
  it("are given in the order of asking, never more than there are; who leaves the line is not waited for", async () => {
    const take = createPlaces(2);
    const signal = new AbortController().signal;
    const told: string[] = [];
    const wait = (name: string) => (began: boolean) => told.push(`${name} ${began ? "waits" : "goes on"}`);
    const [first, second] = [await take(signal, wait("first")), await take(signal, wait("second"))];
    const leaving = new AbortController();
    const third = take(leaving.signal, wait("third"));
    const fourth = take(signal, wait("fourth"));
    leaving.abort(new Error("left"));
    await expect(third).rejects.toThrow("left");
    first();
    (await fourth)();
    second();
    expect(told).toEqual(["third waits", "fourth waits", "third goes on", "fourth goes on"]);
    await Promise.all([take(signal, wait("fifth")), take(signal, wait("sixth"))]);
    expect(told).toHaveLength(4);
    await expect(take(leaving.signal, wait("late"))).rejects.toThrow("left");
  });
});
