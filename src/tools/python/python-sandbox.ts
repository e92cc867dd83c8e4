import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { findProgram } from "../../context/query-capabilities.js";
import { SandboxError } from "../../core/ports/query-worker.js";
import type { Sandbox, SandboxJob, SandboxKind, SandboxRun } from "../../core/ports/sandbox.js";
import { isRoot } from "../bubble.js";
import { runsInFlight } from "../runs-in-flight.js";
import { bubbleCommand, unguardedCommand } from "./python-command.js";
import { readableFolders } from "./python-context.js";
import { createPlaces } from "./python-places.js";
import { runPython } from "./python-process.js";

/** A sandbox for Python, of a kind that `findSandbox` found to work. At most 2 × cores runs at once; the others wait in line. */
export function createSandbox(kind: SandboxKind): Sandbox {
  const takePlace = createPlaces(2 * availableParallelism());
  const folders = readableFolders();
  const inFlight = runsInFlight();

  const inBubble = async (code: string, job: SandboxJob) => {
    const bwrap = findProgram("bwrap");
    if (bwrap === null) throw new SandboxError("bwrap is not installed any more");
    const contextDir = isRoot() ? await folders.of(job.context_dir) : job.context_dir;
    return runPython(bubbleCommand(bwrap, contextDir, job), code, job);
  };
  return {
    kind,
    run: (code, given) =>
      inFlight.during(given.signal, async (signal) => {
        const job = { ...given, signal };
        const giveBack = await takePlace(signal, job.on_wait);
        return await (kind === "bwrap" ? inBubble(code, job) : unguarded(code, job)).finally(giveBack);
      }),
    close: async () => {
      await inFlight.close();
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
