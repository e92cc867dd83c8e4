import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { SandboxError } from "../core/ports/query-worker.js";
import { killGroup } from "./kill-group.js";
import type { ChildCommand } from "./query-command.js";
import { type ChildReply, type ChildRequest, onLines, type Row } from "./query-protocol.js";
import type { GateTable } from "./sql-gate.js";

/** A query child that has opened its database. It takes one request at a time. */
export interface QueryProcess {
  /** False once the child has ended or was told to. */
  alive(): boolean;
  /** Asks and waits for the whole answer. Never rejects: a child that stalls or dies gives a `failed` answer. */
  ask(request: ChildRequest, limits: AskLimits): Promise<Answer>;
  /** Kills the child; returns when it is gone. */
  stop(): Promise<void>;
}

export interface AskLimits {
  /** After so long, or when `signal` is aborted, the query is interrupted, and a second later the child is killed. */
  readonly timeout_ms: number;
  readonly signal?: AbortSignal | undefined;
}

export type Answer =
  | { readonly kind: "ready" }
  | { readonly kind: "tree"; readonly tree: unknown }
  | {
      readonly kind: "done";
      readonly columns: readonly string[];
      readonly types: readonly string[];
      readonly rows: readonly Row[];
      readonly truncated: boolean;
    }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly message: string };

type FailureCode = "refused" | "sql-error" | "timeout" | "worker-lost" | "aborted" | "cannot-open";

const START_MS = 30_000;
/** From an interrupt to the kill. */
const GRACE_MS = 1000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const STDERR_CHARACTERS = 2000;

/** Starts a child and opens the database in it. Rejects with SandboxError when it cannot be started or cannot open the file. */
export async function startQueryProcess(command: ChildCommand, tables: readonly GateTable[]): Promise<QueryProcess> {
  // A process group of its own: Ctrl-C in the terminal is for us, and one signal ends the child with its wrappers.
  const child = spawn(command.file, command.args, { env: {}, cwd: "/", stdio: "pipe", detached: true });
  const started = speakTo(child);
  const opened = await started.ask({ kind: "open", database: command.database, tables }, { timeout_ms: START_MS });
  if (opened.kind === "ready") return started;
  await started.stop();
  const why = opened.kind === "failed" ? opened.message : "it answered something else";
  throw new SandboxError(`the query process cannot be started: ${why}`);
}

function speakTo(child: ChildProcessByStdio<Writable, Readable, Readable>): QueryProcess {
  let [alive, exited, stderr] = [true, false, ""];
  let onReply: (reply: ChildReply) => void = () => undefined;
  let onExit: (how: string) => void = () => undefined;
  const kill = () => {
    alive = false;
    if (!exited) killGroup(child);
  };
  const gone = new Promise<void>((resolve) => {
    const end = (how: string) => {
      [alive, exited] = [false, true];
      // What a process below the child might still hold open must not keep ours from ending.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      onExit(stderr.trim() === "" ? how : `${how}: ${stderr.trim()}`);
      resolve();
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(`it ended with ${signal ?? `exit code ${code}`}`));
  });
  // Writing to a child that has just died: `exit` reports it.
  child.stdin.on("error", () => undefined);
  child.stderr.on("data", (data: Buffer) => {
    stderr = `${stderr}${data.toString()}`.slice(-STDERR_CHARACTERS);
  });
  onLines(child.stdout, (line) => {
    const reply = parseReply(line);
    if (reply === null) kill();
    else onReply(reply);
  });
  const send = (request: ChildRequest) => void child.stdin.write(`${JSON.stringify(request)}\n`);

  const ask = (request: ChildRequest, limits: AskLimits) =>
    new Promise<Answer>((resolve) => {
      const rows: Row[] = [];
      const watch = watchTime(limits, () => send({ kind: "interrupt" }), kill);
      const settle = (answer: Answer) => {
        watch.clear();
        onReply = onExit = () => undefined;
        const cause = watch.cause();
        resolve(cause === null || answer.kind !== "failed" ? answer : stopped(cause, limits));
      };
      onReply = (reply) => {
        if (reply.kind === "rows") for (const row of reply.rows) rows.push(row);
        else settle(answerOf(reply, rows));
      };
      onExit = (how) => settle({ kind: "failed", code: "worker-lost", message: `the query process was lost (${how})` });
      if (alive) send(request);
      else onExit("it had ended before");
    });
  const stop = () => {
    kill();
    return gone;
  };
  return { alive: () => alive, ask, stop };
}

type Cause = "timeout" | "aborted";

/** Interrupts at the timeout or the abort, whichever comes first, and kills a second later. */
function watchTime(limits: AskLimits, interrupt: () => void, kill: () => void) {
  let cause: Cause | null = null;
  let killer: NodeJS.Timeout | undefined;
  const stop = (why: Cause) => {
    if (cause !== null) return;
    cause = why;
    interrupt();
    killer = setTimeout(kill, GRACE_MS);
  };
  const onAbort = () => stop("aborted");
  const timer = setTimeout(stop, Math.min(limits.timeout_ms, LONGEST_TIMER_MS), "timeout");
  limits.signal?.addEventListener("abort", onAbort, { once: true });
  return {
    /** Why the query was stopped; null while it was not. */
    cause: (): Cause | null => cause,
    clear: () => {
      clearTimeout(timer);
      clearTimeout(killer);
      limits.signal?.removeEventListener("abort", onAbort);
    },
  };
}

function stopped(cause: Cause, limits: AskLimits): Answer {
  if (cause === "aborted") return { kind: "failed", code: "aborted", message: "the query was aborted" };
  const seconds = limits.timeout_ms / 1000;
  return { kind: "failed", code: "timeout", message: `the query ran longer than ${seconds} s and was stopped` };
}

function answerOf(reply: Exclude<ChildReply, { kind: "rows" }>, rows: readonly Row[]): Answer {
  if (reply.kind === "done") return { ...reply, rows };
  if (reply.kind !== "failed") return reply;
  // Interrupted without our asking for it cannot be; it would be the engine's own trouble.
  return { ...reply, code: reply.code === "interrupted" ? "sql-error" : reply.code };
}

const replySchema: z.ZodType<ChildReply> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("rows"), rows: z.custom<readonly Row[]>(isRows) }),
  z.object({
    kind: z.literal("done"),
    columns: z.array(z.string()),
    types: z.array(z.string()),
    truncated: z.boolean(),
  }),
  z.object({ kind: z.literal("tree"), tree: z.unknown() }),
  z.object({
    kind: z.literal("failed"),
    code: z.enum(["refused", "sql-error", "interrupted", "cannot-open"]),
    message: z.string(),
  }),
]);

/** By hand, since a million rows come through here. */
function isRows(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((row) => Array.isArray(row) && row.every((cell) => cell === null || typeof cell === "string"))
  );
}

/** Null for a line that no child of ours writes. */
function parseReply(line: string): ChildReply | null {
  try {
    return replySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
