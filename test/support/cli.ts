import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const BIN = fileURLToPath(new URL("../../bin/daw-eval.js", import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is on stdin; nothing at all without it. */
  readonly input?: string;
}

/** The command line as a person starts it: a real process, built code, no terminal. Only PATH, HOME and `env` are passed on. */
export function startCli(args: readonly string[], options: CliOptions = {}): Started {
  return startProcess(process.execPath, [BIN, ...args], options);
}

interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<CliRun>;
}

/** Another program, e.g. a shell that starts the command line under a limit. */
export function startProcess(program: string, args: readonly string[], options: CliOptions = {}): Started {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
    stdio: "pipe",
  });
  child.stdin.end(options.input);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const done = new Promise<CliRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, done };
}

export function cli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return startCli(args, options).done;
}
