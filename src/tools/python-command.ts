import { findProgram } from "../context/query-capabilities.js";
import { systemFolder } from "../context/query-command.js";
import { PYTHON_BOOTSTRAP } from "./python-bootstrap.js";

/** Debian's Python, which has Debian's pandas; another one that comes first on a PATH may have neither. */
export const PYTHON = "/usr/bin/python3";

export interface PythonCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface PythonLimits {
  readonly timeout_ms: number;
  readonly memory_bytes: number;
}

/** Bytes of /scratch, and of any one file in it. */
const SCRATCH_BYTES = 256 * 2 ** 20;
const OPEN_FILES = 256;
/** Processes and threads of one run, counted in its own user namespace. */
const PROCESSES = 64;
const NOBODY = "65534";

/** All that the code's environment holds. The seed makes the order of sets, and so the output, the same in every run. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  TZ: "UTC",
  PYTHONHASHSEED: "0",
  PYTHONDONTWRITEBYTECODE: "1",
  OPENBLAS_NUM_THREADS: "1",
  OMP_NUM_THREADS: "1",
};

/**
 * Python in a bubble: its own user, mount, process, network, IPC and host-name spaces; the system's programs and the context read-only;
 * an empty /scratch in memory; nothing else. bwrap itself starts with an empty environment: `/proc/1/environ` would show its parent's.
 * Where we are root, it starts as nobody, so that what escaped would be nobody. Order: `setpriv → bwrap → prlimit → python3`; the limits
 * are set inside, where processes are counted in the bubble's own user space.
 */
export function bubbleCommand(bwrap: string, contextDir: string, limits: PythonLimits): PythonCommand {
  const options = [
    ["--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY, "--disable-userns", "--cap-drop", "ALL"],
    ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv"],
    ...Object.entries({ ...ENVIRONMENT, HOME: "/scratch" }).map(([name, value]) => ["--setenv", name, value]),
    ["--ro-bind", "/usr", "/usr", ...["/bin", "/lib", "/lib32", "/lib64"].flatMap(systemFolder)],
    // Debian's BLAS is a link into it.
    ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"],
    ["--proc", "/proc", "--dev", "/dev"],
    ["--size", String(SCRATCH_BYTES), "--tmpfs", "/scratch", "--symlink", "scratch", "/tmp"],
    ["--ro-bind", contextDir, "/ctx"],
    // bwrap's own root and /dev are file systems in memory: writable ones would be room without a limit.
    ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/scratch", "--"],
  ];
  const [file = bwrap, ...args] = [
    ...asNobody(),
    bwrap,
    ...options.flat(),
    ...limited(limits, [`--nproc=${PROCESSES}`]),
    ...python("/ctx"),
  ];
  return { file, args, cwd: "/", env: {} };
}

/** Python as it is, with the rights of whoever runs us: only for a profile that says `unsafe-none`. `scratch` is an empty folder. */
export function unguardedCommand(scratch: string, contextDir: string, limits: PythonLimits): PythonCommand {
  const bounds = findProgram("prlimit") === null ? [] : limited(limits, []);
  const [file = PYTHON, ...args] = [...bounds, ...python(contextDir)];
  return { file, args, cwd: scratch, env: { ...ENVIRONMENT, HOME: scratch } };
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

/** Outside a bubble a bound on processes would count all that the user has. */
function limited({ timeout_ms, memory_bytes }: PythonLimits, processes: readonly string[]): string[] {
  const seconds = Math.ceil(timeout_ms / 1000) + 1;
  return [
    findProgram("prlimit") ?? "prlimit",
    ...[`--as=${memory_bytes}`, `--cpu=${seconds}`, `--fsize=${SCRATCH_BYTES}`, `--nofile=${OPEN_FILES}`],
    ...["--core=0", ...processes, "--"],
  ];
}

/** Without the user's own packages. */
function python(contextDir: string): string[] {
  return [PYTHON, "-s", "-c", PYTHON_BOOTSTRAP, contextDir];
}
