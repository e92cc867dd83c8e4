import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { cacheEntries, trimCache } from "../context/cache.js";
import { storedResponses, trimResponses } from "../models/response-cache.js";
import { bytes, counted } from "../report/numbers.js";
import { oneLine, wrapParts } from "../report/text-width.js";
import { cacheSize, sizeOf } from "./cache-size.js";
import { EXIT } from "./exit.js";
import { leftBehind } from "./left-behind.js";
import { checkMachine, type MachineCheck } from "./machine-checks.js";
import { wholeNumber } from "./option-values.js";
import { RUNS_FOLDER } from "./places.js";
import { cacheFolder } from "./surroundings.js";
import { printJson, printLines, stdoutStyle } from "./text.js";

/** Size to which `--clean` trims the cache when it is not told. */
const KEPT_MIB = "2048";
const MIB = 1024 ** 2;

interface DoctorOptions {
  /** MiB to keep; true where the flag has no number. */
  readonly clean?: string | true;
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/** `daw-eval doctor`: what works on this machine, and what is weaker without the rest. Exits 3 where something that every run needs does not work. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const cacheDir = cacheFolder(options.cacheDir);
  if (options.clean !== undefined) {
    const mib = wholeNumber("--clean", options.clean === true ? KEPT_MIB : options.clean, 0);
    return clean(cacheDir, mib * MIB, options.json === true);
  }
  const checks = await checkMachine(cacheDir, path.resolve(RUNS_FOLDER));
  const ok = checks.every((check) => check.ok || !check.required);
  if (options.json === true) printJson({ ok, checks });
  else printLines(checks.flatMap(checkLines));
  return ok ? EXIT.fine : EXIT.incomplete;
}

function checkLines(check: MachineCheck): string[] {
  const { paint, columns } = stdoutStyle();
  const state = check.ok ? "ok    " : check.required ? "FAILS " : "weaker";
  const text = `${state} ${check.check.padEnd(14)} ${oneLine(check.detail)}`;
  const [first = "", ...others] = wrapParts([text], " ", columns);
  return [`${(check.ok ? paint.good : paint.bad)(state)}${first.slice(state.length)}`, ...others];
}

/**
 * Says how large the cache is before it removes the least recently used contexts, and then the oldest responses; and what killed runs left
 * among the system's temporary files before it removes that.
 */
async function clean(cacheDir: string, keptBytes: number, json: boolean): Promise<number> {
  const contexts = await cacheEntries(cacheDir);
  const responses = await storedResponses(cacheDir);
  const before = sizeOf(contexts) + sizeOf(responses);
  if (!json) printLines([`${cacheDir}: ${cacheSize(contexts, responses)}; trimming to ${bytes(keptBytes)}`]);
  const removed = await trimCache(cacheDir, keptBytes);
  const left = keptBytes - (sizeOf(contexts) - sizeOf(removed));
  const removedResponses = await trimResponses(cacheDir, Math.max(0, left));
  const leftFolders = await leftBehind(os.tmpdir(), Date.now());
  if (!json && leftFolders.length > 0) {
    printLines([
      `${os.tmpdir()}: ${counted(leftFolders.length, "folder")} of killed runs, ${bytes(sizeOf(leftFolders))}`,
    ]);
  }
  for (const folder of leftFolders) await rm(folder.path, { recursive: true, force: true });
  if (json) {
    printJson({
      cache_dir: cacheDir,
      bytes_before: before,
      kept_bytes: before - sizeOf(removed) - sizeOf(removedResponses),
      removed: removed.map((entry) => ({ digest: entry.digest, bytes: entry.bytes })),
      removed_responses: removedResponses.length,
      removed_folders: leftFolders,
    });
  } else {
    const folders = leftFolders.length === 0 ? "" : `; ${counted(leftFolders.length, "folder")} of killed runs`;
    printLines([`removed ${cacheSize(removed, removedResponses)}${folders}`]);
  }
  return EXIT.fine;
}
