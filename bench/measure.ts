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

/** The fastest of several runs, with its memory: what else the machine does only ever adds time. */
export async function best(times: number, once: () => Promise<Measured>): Promise<Measured> {
  let least: Measured | null = null;
  for (let time = 0; time < times; time++) {
    const measured = await once();
    if (least === null || measured.seconds < least.seconds) least = measured;
  }
  if (least === null) throw new Error("the best of nothing");
  return least;
}
