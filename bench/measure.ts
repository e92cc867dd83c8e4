import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** One finished process, from outside. */
export interface Measured {
  readonly code: number | null;
  readonly seconds: number;
  /** Peak resident memory in MiB, of the process itself without its children; null where /proc is not there. */
  readonly peak_mib: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface MeasureOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end and measures it. Throws where it fails, with the end of what it said. */
export async function measure(command: readonly string[], options: MeasureOptions = {}): Promise<Measured> {
  const [program = "", ...args] = command;
  const begin = performance.now();
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let peak: number | null = null;
  const watch = setInterval(() => {
    peak = peakOf(child.pid) ?? peak;
  }, 20);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout = (stdout + text).slice(-20_000);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearInterval(watch);
  const measured = { code, seconds: (performance.now() - begin) / 1000, peak_mib: peak, stdout, stderr };
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${(stderr || stdout).slice(-2000)}`);
  return measured;
}

/** The kernel's own high-water mark. */
function peakOf(pid: number | undefined): number | null {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch {
    return null;
  }
}

/** The middle of several values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("the median of nothing");
  return (low + high) / 2;
}
