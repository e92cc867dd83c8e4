import { randomBytes } from "node:crypto";
import os from "node:os";
import path from "node:path";
import type { Clock } from "../core/ports/clock.js";
import { NO_ADDITIONS } from "../run/additions.js";
import type { RunSurroundings } from "../run/execute-run.js";

/** The real clock. */
export const systemClock: Clock = {
  iso: () => new Date().toISOString(),
  milliseconds: () => performance.now(),
};

/** What a command gives a run that it starts, goes on with, replays or imports; it brings no additions. */
export function runSurroundings(
  cacheDir: string | undefined,
  cancel: AbortSignal,
  onProgress: RunSurroundings["onProgress"] = () => {},
): RunSurroundings {
  return {
    env: process.env,
    clock: systemClock,
    cacheDir: cacheFolder(cacheDir),
    cancel,
    onProgress,
    additions: NO_ADDITIONS,
  };
}

/** For the queries of claim checks where no profile says it. */
export const DOMAIN_TIMEOUT_MS = 30_000;

/** Where compiled contexts go: `--cache-dir`, else the user's cache folder. */
export function cacheFolder(given: string | undefined): string {
  if (given !== undefined) return path.resolve(given);
  const base =
    process.env.XDG_CACHE_HOME ??
    (process.platform === "darwin" ? path.join(os.homedir(), "Library", "Caches") : path.join(os.homedir(), ".cache"));
  return path.join(base, "daw-eval");
}

/** `20261130-221514-demo-3f9a`: sorts by time, says what it ran, does not collide. */
export function newRunId(suite: string, at: Date): string {
  const time = at
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, "")
    .replace("T", "-");
  return `${time}-${suite}-${randomBytes(2).toString("hex")}`;
}

/**
 * Ctrl-C and SIGTERM. The first one aborts the signal that is returned: trials in flight are suspended. The second ends the process at
 * once; every line that is in a log by then is whole.
 */
export function onInterrupt(notice: () => void): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Error("interrupted"));
    notice();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
