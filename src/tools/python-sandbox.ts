import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { findProgram } from "../context/query-capabilities.js";
import { linkedSignal } from "../core/linked-signal.js";
import { SandboxError } from "../core/ports/query-worker.js";
import type { Sandbox, SandboxJob, SandboxKind, SandboxRun } from "../core/ports/sandbox.js";
import { isRoot } from "./bubble.js";
import { bubbleCommand, unguardedCommand } from "./python-command.js";
import { readableFolders } from "./python-context.js";
import { createPlaces } from "./python-places.js";
import { runPython } from "./python-process.js";

/** A sandbox for Python, of a kind that `findSandbox` found to work. At most 2 × cores runs at once; the others wait in line. */
export function createSandbox(kind: SandboxKind): Sandbox {
  const takePlace = createPlaces(2 * availableParallelism());
  const folders = readableFolders();
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();

  const inBubble = async (code: string, job: SandboxJob) => {
    const bwrap = findProgram("bwrap");
    if (bwrap === null) throw new SandboxError("bwrap is not installed any more");
    const contextDir = isRoot() ? await folders.of(job.context_dir) : job.context_dir;
    return runPython(bubbleCommand(bwrap, contextDir, job), code, job);
  };
  const run = async (code: string, given: SandboxJob): Promise<SandboxRun> => {
    const { signal, release } = linkedSignal([given.signal, closed.signal]);
    const job = { ...given, signal };
    try {
      const giveBack = await takePlace(signal, job.on_wait);
      return await (kind === "bwrap" ? inBubble(code, job) : unguarded(code, job)).finally(giveBack);
    } finally {
      release();
    }
  };
  return {
    kind,
    run: (code, job) => {
      const result = run(code, job);
      const settled: Promise<unknown> = result.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return result;
    },
    close: async () => {
      closed.abort(new Error("the sandbox is closed"));
      await Promise.all(running);
      await folders.close();
    },
  };
}

/** Each run has a scratch folder of its own, which goes with it. */
async function unguarded(code: string, job: SandboxJob): Promise<SandboxRun> {
  const scratch = await mkdtemp(path.join(tmpdir(), "daw-eval-scratch-"));
  try {
    return await runPython(unguardedCommand(scratch, job.context_dir, job), code, job);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
