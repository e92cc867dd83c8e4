import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { killGroup } from "./kill-group.js";
import { childCommand } from "./query-command.js";

/** What this machine offers to lock the query child in; the locks inside DuckDB hold without either. */
export interface SandboxCapabilities {
  /** Path of `prlimit`, which bounds the child's memory and forbids core files; null where it is absent or does not work. */
  readonly prlimit: string | null;
  /** Path of `bwrap` (bubblewrap), which hides file system and network from the child; null where it is absent or does not work. */
  readonly bwrap: string | null;
  /** One sentence for each that is null: why, what is weaker, what to do. */
  readonly reasons: readonly string[];
}

const FOLDERS: readonly string[] = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];
const PROBE_MS = 20_000;

/** Finds out, by starting the real child under each, what works here. Takes about 0.2 s; never rejects. */
export async function sandboxCapabilities(): Promise<SandboxCapabilities> {
  const [prlimit, bwrap] = await Promise.all([
    probe("prlimit", "a query that asks for much memory can slow this machine down", "install util-linux"),
    probe("bwrap", "queries are held by DuckDB's own locks alone", "install bubblewrap"),
  ]);
  return {
    prlimit: prlimit.path,
    bwrap: bwrap.path,
    reasons: [prlimit.reason, bwrap.reason].filter((reason) => reason !== null),
  };
}

type Probe = { readonly path: string; readonly reason: null } | { readonly path: null; readonly reason: string };

/** Absolute path of a system program, whatever PATH says; null where it is not installed. */
export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((candidate) => existsSync(candidate)) ?? null;
}

async function probe(tool: "prlimit" | "bwrap", weaker: string, remedy: string): Promise<Probe> {
  const path = findProgram(tool);
  if (path === null) return { path: null, reason: `${tool} is not installed: ${weaker}; ${remedy}` };
  const trouble = await tryChild({ prlimit: null, bwrap: null, [tool]: path });
  return trouble === null
    ? { path, reason: null }
    : { path: null, reason: `${tool} does not work here: ${weaker} (${trouble})` };
}

/** Starts the query child with nothing to do: it must load and end well. Null, or what went wrong. */
function tryChild(tools: Pick<SandboxCapabilities, "prlimit" | "bwrap">): Promise<string | null> {
  const command = childCommand(tools, null);
  return new Promise((resolve) => {
    // A process group of its own: Ctrl-C in the terminal is for us. bwrap, interrupted while it starts, leaves a process that waits for ever.
    const child = spawn(command.file, command.args, {
      env: {},
      cwd: "/",
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const timer = setTimeout(killGroup, PROBE_MS, child);
    let said = "";
    child.stderr.on("data", (data: Buffer) => {
      said += data.toString();
    });
    const end = (trouble: string | null) => {
      clearTimeout(timer);
      resolve(trouble);
    };
    child.once("error", (error) => end(error.message));
    // What it may have left running holds its stderr open.
    child.once("exit", () => killGroup(child));
    child.once("close", (code, signal) => {
      end(code === 0 ? null : (said.trim().split("\n")[0] ?? "") || `it ended with ${signal ?? code}`);
    });
  });
}
