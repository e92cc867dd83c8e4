import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findProgram } from "../../context/query-capabilities.js";
import type { SandboxFound } from "../../core/ports/sandbox.js";
import type { PythonConfig } from "../../core/profile.js";
import { PYTHON } from "./python-command.js";
import { createSandbox } from "./python-sandbox.js";

const PROBE_MS = 20_000;
const PROBE_BYTES = 2 ** 30;

/** Fails unless the file system of the machine is hidden and pandas is there; imports nothing that takes time. */
const probeCode = (outside: string) => `
import importlib.util, os, sys
if os.path.exists(${JSON.stringify(outside)}) or not os.path.isdir("/ctx"):
    sys.exit("the sandbox does not hide the machine's files")
if importlib.util.find_spec("pandas") is None:
    sys.exit("no pandas")
`;

/** Finds out what Python can run in on this machine, by running it under the very flags that a model's code gets. Never rejects; about 0.05 s. */
export async function findSandbox(wanted: PythonConfig["sandbox"]): Promise<SandboxFound> {
  if (wanted === "off") return absent("tools.python.sandbox is off in the profile");
  if (!existsSync(PYTHON)) return absent(`${PYTHON} is not installed (Debian: apt-get install python3-pandas)`);
  if (wanted === "unsafe-none") return { python: wanted, reason: null };
  if (findProgram("bwrap") === null) {
    return absent(
      "bubblewrap is not installed (Debian: apt-get install bubblewrap; there is none for other systems than Linux)",
    );
  }
  const trouble = await tryBubble();
  return trouble === null ? { python: "bwrap", reason: null } : absent(trouble);
}

function absent(reason: string): SandboxFound {
  return { python: null, reason };
}

/** Null, or what is wrong. */
async function tryBubble(): Promise<string | null> {
  const sandbox = createSandbox("bwrap");
  const folder = await mkdtemp(path.join(tmpdir(), "daw-eval-probe-"));
  try {
    const { ending } = await sandbox.run(probeCode(folder), {
      context_dir: folder,
      timeout_ms: PROBE_MS,
      memory_bytes: PROBE_BYTES,
      signal: new AbortController().signal,
      query: () => Promise.reject(new Error("the probe asks nothing")),
      on_wait: () => {},
    });
    if (ending.kind === "finished") return null;
    if (ending.kind === "raised" && ending.message.endsWith("no pandas")) {
      return `${PYTHON} has no pandas (Debian: apt-get install python3-pandas)`;
    }
    return `bubblewrap does not work here: ${ending.kind === "raised" ? ending.message : ending.kind}`;
  } catch (error) {
    return `bubblewrap does not work here: ${error instanceof Error ? error.message : error}`;
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
