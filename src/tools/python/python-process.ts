import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { Duplex } from "node:stream";
import { killGroup } from "../../context/kill-group.js";
import { linkedSignal } from "../../core/linked-signal.js";
import { type QueryResult, SandboxError } from "../../core/ports/query-worker.js";
import type { SandboxJob, SandboxRun } from "../../core/ports/sandbox.js";
import { withinMs } from "../within-ms.js";
import { type ChannelState, serveChannel } from "./python-channel.js";
import type { PythonCommand } from "./python-command.js";
import { capture } from "./python-output.js";

/** What is kept of the code's output: an answer comes through stdout, whole. */
const STDOUT_BYTES = 64 * 2 ** 20;
const STDERR_BYTES = 2 ** 20;
/** From the end of the process to that of its pipes, which a process below it might hold open. */
const PIPES_MS = 500;
/** Why a query is given up whose asker has ended. */
const GONE = new Error("the process that asked is gone");
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Starts the command, hands it the code, serves its queries and waits until all of it is gone. At the time limit, and when the job's
 * signal is aborted, the whole process group is killed; in a bubble the kernel then ends every process of its process space.
 */
export async function runPython(command: PythonCommand, code: string, job: SandboxJob): Promise<SandboxRun> {
  job.signal.throwIfAborted();
  const { file, args, cwd, env } = command;
  // A process group of its own: Ctrl-C in the terminal is for us, and one signal ends the child with its wrappers.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] });
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) throw new Error("file descriptor 3 of a child is no duplex stream");
  const kill = () => killGroup(child);
  const stdout = capture(child.stdout, STDOUT_BYTES);
  const stderr = capture(child.stderr, STDERR_BYTES);
  // Written to a child that has just died: its exit says so.
  for (const stream of [child.stdin, channel]) stream.on("error", () => undefined);
  const [exit, closed] = [exitOf(child), new Promise<void>((resolve) => child.once("close", () => resolve()))];
  child.stdin.end(code);

  const until = linkedSignal([job.signal]);
  const watch = watchTime(job.timeout_ms, kill);
  job.signal.addEventListener("abort", kill, { once: true });
  const state: ChannelState = { ready: false, end: null, garbled: false, queries: [] };
  const serving = serveChannel(channel, state, (sql) =>
    watch.during((left) => job.query(sql, left, until.signal)),
  ).then(
    () => {
      if (state.garbled) kill();
      return null;
    },
    (error: unknown) => {
      kill();
      return { error };
    },
  );

  const how = await exit;
  const late = watch.stop();
  until.abort(GONE);
  until.release();
  job.signal.removeEventListener("abort", kill);
  await withinMs(PIPES_MS, closed);
  for (const stream of child.stdio) stream?.destroy();
  const failed = await serving;
  job.signal.throwIfAborted();
  if (failed !== null && failed.error !== GONE) throw failed.error;
  if (!state.ready && !late)
    throw new SandboxError(`Python does not start: ${stderr().text.trim() || how || "it ended"}`);
  return { ending: endingOf(state, how, late), stdout: stdout(), stderr: stderr(), queries: state.queries };
}

function endingOf(state: ChannelState, how: string | null, late: boolean): SandboxRun["ending"] {
  if (late) return { kind: "timeout" };
  if (state.garbled && how !== null) return { kind: "died", how: "it wrote to the channel of its queries" };
  if (state.end !== null && state.end.error !== null) return { kind: "raised", ...state.end.error };
  return how === null ? { kind: "finished" } : { kind: "died", how };
}

/** How a child ended, in words; null for exit code 0. */
function exitOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(code === 0 ? null : exitText(code, signal)));
  });
}

/** bwrap tells of a signal as shells do: 128 and its number. */
function exitText(code: number | null, signal: NodeJS.Signals | null): string {
  const name = signal ?? Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return name === undefined ? `it ended with exit code ${code}` : `it was ended by ${name}`;
}

/**
 * Calls `expire` once the limit is used up. While a query is asked the time stands still, and then the query's own work is counted: waiting
 * for a query process is not.
 */
function watchTime(limit_ms: number, expire: () => void) {
  let [left, late, stopped] = [limit_ms, false, false];
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    if (stopped) return;
    since = performance.now();
    const onTime = () => {
      late = true;
      expire();
    };
    timer = setTimeout(onTime, Math.min(Math.max(0, left), LONGEST_TIMER_MS));
  };
  start();
  return {
    during: async (query: (left_ms: number) => Promise<QueryResult>): Promise<QueryResult> => {
      clearTimeout(timer);
      left -= performance.now() - since;
      const result = await query(Math.max(1, Math.ceil(left)));
      left -= result.ms;
      start();
      return result;
    },
    /** Ends the watch; whether the time was used up. */
    stop: (): boolean => {
      stopped = true;
      clearTimeout(timer);
      return late;
    },
  };
}
