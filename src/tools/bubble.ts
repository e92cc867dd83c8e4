import { findProgram } from "../context/query-capabilities.js";
import { systemFolder } from "../context/query-command.js";

/** What a bubble shows of the machine, and what it lets its programs use. */
export interface Bubble {
  /** Folders inside, read-only: where they are on the machine, and where they are seen. */
  readonly folders: readonly (readonly [outside: string, inside: string])[];
  /** Files of the system beside its programs, read-only where they are there. */
  readonly files: readonly string[];
  /** The one folder that can be written, empty and in memory, with its size; `/tmp` is a link to it. */
  readonly work: { readonly path: string; readonly bytes: number };
  readonly network: "none" | "allow";
  readonly limits: ProcessLimits;
  /** Processes and threads, counted in the bubble's own user namespace. */
  readonly processes: number;
  /** bwrap's options for the environment of what runs inside. */
  readonly environment: readonly string[];
  readonly command: readonly string[];
}

export interface ProcessLimits {
  readonly seconds: number;
  readonly memory_bytes: number;
  readonly file_bytes: number;
  readonly open_files: number;
}

const NOBODY = "65534";

/**
 * A command line that runs a program in a bubble: its own user, mount, process, network, IPC and host-name spaces; the system's programs
 * and the given folders read-only; one work folder in memory; nothing else. Where we are root, it starts as nobody, so that what escaped
 * would be nobody. Order: `setpriv → bwrap → prlimit → program`; the limits are set inside, where processes are counted in the bubble's own user space.
 */
export function inBubble(bwrap: string, bubble: Bubble): readonly [file: string, ...args: string[]] {
  const { folders, files, work, network, limits, processes, environment, command } = bubble;
  const options = [
    ["--unshare-all", ...(network === "allow" ? ["--share-net"] : [])],
    ["--unshare-user", "--uid", NOBODY, "--gid", NOBODY, "--disable-userns", "--cap-drop", "ALL"],
    ["--hostname", "sandbox", "--die-with-parent", "--new-session", ...environment],
    ["--ro-bind", "/usr", "/usr", ...["/bin", "/lib", "/lib32", "/lib64"].flatMap(systemFolder)],
    // Debian's BLAS is a link into it.
    ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"],
    ...files.map((file) => ["--ro-bind-try", file, file]),
    ["--proc", "/proc", "--dev", "/dev"],
    ["--size", String(work.bytes), "--tmpfs", work.path, "--symlink", work.path.slice(1), "/tmp"],
    ...folders.map(([outside, inside]) => ["--ro-bind", outside, inside]),
    // bwrap's own root and /dev are file systems in memory: writable ones would be room without a limit.
    ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", work.path, "--"],
  ];
  const inside = [...limited(limits, [`--nproc=${processes}`]), ...command];
  const [file = bwrap, ...args] = [...asNobody(), bwrap, ...options.flat(), ...inside];
  return [file, ...args];
}

/** `prlimit` and its options before a program; outside a bubble a bound on processes would count all that the user has. */
export function limited(limits: ProcessLimits, more: readonly string[]): string[] {
  const { seconds, memory_bytes, file_bytes, open_files } = limits;
  return [
    findProgram("prlimit") ?? "prlimit",
    ...[`--as=${memory_bytes}`, `--cpu=${seconds}`, `--fsize=${file_bytes}`, `--nofile=${open_files}`],
    ...["--core=0", ...more, "--"],
  ];
}

/** Whether bubbles start as another user than the one whom we run as. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function asNobody(): string[] {
  if (!isRoot()) return [];
  const setpriv = findProgram("setpriv") ?? "setpriv";
  return [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--no-new-privs", "--"];
}
