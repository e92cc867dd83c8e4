import { mkdir, mkdtemp, rm, stat, statfs, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { cacheEntries } from "../context/cache.js";
import { compileContext } from "../context/compile.js";
import { sandboxCapabilities } from "../context/query-capabilities.js";
import { createQueryPool } from "../context/query-pool.js";
import { storedResponses } from "../models/response-cache.js";
import { bytes } from "../report/numbers.js";
import { PYTHON } from "../tools/python/python-command.js";
import { findSandbox } from "../tools/python/python-find.js";
import { cacheSize } from "./cache-size.js";

/** One thing that `doctor` looked at. */
export interface MachineCheck {
  readonly check: string;
  readonly ok: boolean;
  /** Without it nothing runs. */
  readonly required: boolean;
  /** What was found; where it is not ok: what is weaker, and what to do. */
  readonly detail: string;
}

const LEAST_NODE = 20;
const PROBE_MS = 20_000;
/** Compiled contexts of large suites need some of it. */
const LEAST_FREE_BYTES = 1024 ** 3;

/** Everything that differs from machine to machine, tried for real. Never rejects for what it finds. */
export async function checkMachine(cacheDir: string, runsDir: string): Promise<MachineCheck[]> {
  const checks = await Promise.all([
    [nodeCheck()],
    sandboxChecks(),
    pythonCheck(),
    queryCheck(),
    cacheCheck(cacheDir),
    spaceCheck(cacheDir),
    writeCheck("write to cache", cacheDir),
    writeCheck("write to runs", runsDir),
  ]);
  return checks.flat();
}

function nodeCheck(): MachineCheck {
  const ok = Number(process.versions.node.split(".")[0]) >= LEAST_NODE;
  const found = `${process.version} on ${process.platform}-${process.arch}, ${os.availableParallelism()} cores`;
  return { check: "node", ok, required: true, detail: ok ? found : `${found}: install Node ${LEAST_NODE} or newer` };
}

async function sandboxChecks(): Promise<MachineCheck[]> {
  const { prlimit, bwrap, reasons } = await sandboxCapabilities();
  const check = (name: string, file: string | null): MachineCheck => ({
    check: name,
    ok: file !== null,
    required: false,
    detail: file ?? reasons.find((reason) => reason.startsWith(name)) ?? `${name} does not work here`,
  });
  return [check("prlimit", prlimit), check("bwrap", bwrap)];
}

async function pythonCheck(): Promise<MachineCheck[]> {
  const about = { check: "python", required: false };
  const { python, reason } = await findSandbox("auto");
  const works = `${PYTHON} with pandas runs in a bubblewrap sandbox: execute_python is offered`;
  return [
    { ...about, ok: python !== null, detail: reason === null ? works : `execute_python is not offered: ${reason}` },
  ];
}

/** Compiles a table and asks a query child for it: what every trial does first. */
async function queryCheck(): Promise<MachineCheck[]> {
  const about = { check: "queries", required: true };
  const folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-doctor-"));
  const pool = createQueryPool();
  try {
    const context = path.join(folder, "context");
    await mkdir(context);
    await writeFile(path.join(context, "numbers.csv"), "n\n1\n");
    const compiled = await compileContext(context, { cache_dir: path.join(folder, "cache") });
    const answer = await pool.worker(compiled).query("SELECT n FROM numbers", { max_rows: 1, timeout_ms: PROBE_MS });
    if (!answer.ok) return [{ ...about, ok: false, detail: `the query child failed: ${answer.error.message}` }];
    return [{ ...about, ok: true, detail: "a query child starts and answers" }];
  } catch (error) {
    const detail = `no query child can be started: ${error instanceof Error ? error.message : error}; reinstall with npm ci`;
    return [{ ...about, ok: false, detail }];
  } finally {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function cacheCheck(cacheDir: string): Promise<MachineCheck[]> {
  const size = cacheSize(await cacheEntries(cacheDir), await storedResponses(cacheDir));
  const detail = `${cacheDir}: ${size} (doctor --clean trims it)`;
  return [{ check: "cache", ok: true, required: false, detail }];
}

async function spaceCheck(cacheDir: string): Promise<MachineCheck[]> {
  const folder = await nearestThere(cacheDir);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const ok = free >= LEAST_FREE_BYTES;
  const detail = `${bytes(free)} free at ${folder}${ok ? "" : ": large contexts may not compile; make room, or pass --cache-dir"}`;
  return [{ check: "disk", ok, required: false, detail }];
}

async function writeCheck(check: string, folder: string): Promise<MachineCheck[]> {
  const place = await nearestThere(folder);
  try {
    await rm(await mkdtemp(path.join(place, ".daw-eval-")), { recursive: true });
    return [{ check, ok: true, required: true, detail: place }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ check, ok: false, required: true, detail: `${place} cannot be written: ${reason}` }];
  }
}

/** The path itself, or the nearest one above that exists. */
async function nearestThere(file: string): Promise<string> {
  const above = path.dirname(file);
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  return isThere || above === file ? file : nearestThere(above);
}
