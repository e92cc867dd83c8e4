import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { findProgram } from "../../src/context/query-capabilities.js";
import { folderWith } from "../support/folder.js";
import { endlessView } from "./made-files.js";

const DIST = path.resolve(import.meta.dirname, "../../dist/context");

/**
 * A process that leads a group of its own, as a command does in a terminal, and stays when it is interrupted. It prints an empty line when
 * it is ready for that, then a line with what `code` returns, and stays until it is killed.
 */
function leader(code: string): ChildProcess {
  const lines = [
    "setInterval(() => {}, 1000);",
    'process.on("SIGINT", () => {});',
    "console.log();",
    `console.log(JSON.stringify(await (async () => { ${code} })()));`,
  ];
  const args = ["--input-type=module", "-e", lines.join("\n")];
  return spawn(process.execPath, args, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
}

/**
 * What `code` returns while Ctrl-C is pressed all the time: everything in the group is sent SIGINT. Not in the millisecond in which a child
 * is still a copy of its parent and nothing can be done for it, so only where the same children were there at the look before.
 */
async function underCtrlC(code: string): Promise<{ readonly answer: unknown; readonly pressed: number }> {
  const child = leader(code);
  let [pressing, before, pressed]: [NodeJS.Timeout | undefined, string, number] = [undefined, "", 0];
  const look = () => {
    const children = processes().filter(({ parent }) => parent === child.pid);
    const now = children.map(({ pid }) => pid).join();
    const copies = children.filter(({ line }) => line === "" || line === commandLine(child.pid));
    if (now !== "" && now === before && copies.length === 0) {
      process.kill(-(child.pid ?? 0), "SIGINT");
      pressed += 1;
    }
    before = now;
  };
  try {
    if (child.stdout === null) throw new Error("no stdout");
    for await (const line of createInterface(child.stdout)) {
      if (line !== "") return { answer: JSON.parse(line), pressed };
      pressing = setInterval(look, 5);
    }
    throw new Error("it ended");
  } finally {
    clearInterval(pressing);
    child.kill("SIGKILL");
  }
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  /** Its command line, each argument ended by a NUL. */
  readonly line: string;
}

/** What runs on this machine now. */
const processes = (): Running[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), parent: parentOf(pid), line: commandLine(pid) }));

const parentOf = (pid: string) => Number(contentOf(`/proc/${pid}/stat`).split(") ")[1]?.split(" ")[1]);

const commandLine = (pid: string | number | undefined) => contentOf(`/proc/${pid}/cmdline`);

/** Empty for a process that has ended. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The processes of ours that run now and were told that `parent` is theirs. */
const childrenTold = (parent: number | undefined) =>
  processes()
    .filter(({ line }) => line.includes(DIST) && line.endsWith(`\0${parent}\0`))
    .map(({ pid }) => pid);

async function eventually(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !holds(); i += 1) await sleep(25);
  expect(holds()).toBe(true);
}

describe("Ctrl-C in the terminal, which is sent to the whole group", () => {
  it.skipIf(findProgram("bwrap") === null)("takes no sandbox for broken that was just being tried", async () => {
    const { answer } = await underCtrlC(
      `return (await import(${JSON.stringify(`${DIST}/query-capabilities.js`)})).sandboxCapabilities();`,
    );
    expect(answer).toMatchObject({ bwrap: findProgram("bwrap"), prlimit: findProgram("prlimit"), reasons: [] });
  });

  it("changes no answer of a database that a claim is checked against", async () => {
    const query = { type: "sqlite", path: endlessView(), sql: "SELECT k FROM slow" };
    const module = JSON.stringify(`${DIST}/connections/query-in-child.js`);
    const { answer, pressed } = await underCtrlC(
      `return (await import(${module})).queryInChild(${JSON.stringify(query)}, 20000);`,
    );
    expect(pressed).toBeGreaterThan(0);
    expect(answer).toEqual({ ok: true, values: ["3000000"] });
  });

  it("makes no view unreadable that is being read", async () => {
    const file = endlessView();
    const args = JSON.stringify([file, "slow", path.join(folderWith(), "cells"), "x.db#slow"]).slice(1, -1);
    const module = JSON.stringify(`${DIST}/read/sqlite-view.js`);
    const { answer, pressed } = await underCtrlC(`return (await import(${module})).readSqliteView(${args});`);
    expect(pressed).toBeGreaterThan(0);
    expect(answer).toMatchObject({ expected: { rows: 1 }, columns: ["k"] });
  });
});

describe("a parent that is killed with SIGKILL", () => {
  it.each([
    ["view", "read/sqlite-view.js", "readSqliteView(FILE, 'forever', OUT, 'x.db#forever')"],
    ["query", "connections/query-in-child.js", "queryInChild({ type: 'sqlite', path: FILE, sql: SQL }, 60000)"],
  ])("leaves no endless %s behind", async (_, module, call) => {
    const file = endlessView();
    const out = path.join(path.dirname(file), "cells");
    const names = `const [FILE, OUT, SQL] = ${JSON.stringify([file, out, "SELECT * FROM forever"])};`;
    const child = leader(`${names} return (await import(${JSON.stringify(`${DIST}/${module}`)})).${call};`);
    await eventually(() => childrenTold(child.pid).length === 1);
    // It is in the middle of its query by now, or will be soon: either way it must end.
    await sleep(300);
    child.kill("SIGKILL");
    onTestFinished(() => {
      for (const pid of childrenTold(child.pid)) process.kill(pid, "SIGKILL");
    });
    await eventually(() => childrenTold(child.pid).length === 0);
  });
});
