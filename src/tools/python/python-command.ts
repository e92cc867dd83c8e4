import { findProgram } from "../../context/query-capabilities.js";
import { inBubble, limited, type ProcessLimits } from "../bubble.js";
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
const PROCESSES = 64;

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
 * Python in a bubble with the context read-only and an empty /scratch. bwrap itself starts with an empty environment: `/proc/1/environ`
 * would show its parent's.
 */
export function bubbleCommand(bwrap: string, contextDir: string, limits: PythonLimits): PythonCommand {
  const variables = Object.entries({ ...ENVIRONMENT, HOME: "/scratch" });
  const [file, ...args] = inBubble(bwrap, {
    folders: [[contextDir, "/ctx"]],
    files: [],
    work: { path: "/scratch", bytes: SCRATCH_BYTES },
    network: "none",
    limits: processLimits(limits),
    processes: PROCESSES,
    environment: ["--clearenv", ...variables.flatMap(([name, value]) => ["--setenv", name, value])],
    command: python("/ctx"),
  });
  return { file, args, cwd: "/", env: {} };
}

/** Python as it is, with the rights of whoever runs us: only for a profile that says `unsafe-none`. `scratch` is an empty folder. */
export function unguardedCommand(scratch: string, contextDir: string, limits: PythonLimits): PythonCommand {
  const bounds = findProgram("prlimit") === null ? [] : limited(processLimits(limits), []);
  const [file = PYTHON, ...args] = [...bounds, ...python(contextDir)];
  return { file, args, cwd: scratch, env: { ...ENVIRONMENT, HOME: scratch } };
}

function processLimits({ timeout_ms, memory_bytes }: PythonLimits): ProcessLimits {
  const seconds = Math.ceil(timeout_ms / 1000) + 1;
  return { seconds, memory_bytes, file_bytes: SCRATCH_BYTES, open_files: OPEN_FILES };
}

/** Without the user's own packages. */
function python(contextDir: string): string[] {
  return [PYTHON, "-s", "-c", PYTHON_BOOTSTRAP, contextDir];
}
