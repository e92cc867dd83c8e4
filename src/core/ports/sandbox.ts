import type { QueryResult } from "./query-worker.js";

export const SANDBOX_KINDS = ["bwrap", "unsafe-none"] as const;
/** What holds code that a model wrote: bubblewrap, or nothing (only where a profile insists on it). */
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

/** What Python, or the program that is the agent, runs in on this machine, under this profile. */
export interface SandboxFound {
  /** Null: `execute_python` is not offered. */
  readonly python: SandboxKind | null;
  /** One sentence, where it is not offered: why, and what to do. */
  readonly reason: string | null;
}

export interface SandboxJob {
  /** Absolute path of the folder that the code can read. */
  readonly context_dir: string;
  /** Time to run, its queries included; waiting for a place to run or for a query process is not counted. */
  readonly timeout_ms: number;
  /** Address space of each of its processes. */
  readonly memory_bytes: number;
  /** Aborted: everything is killed and the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Answers one `query(sql)` of the code, within `timeout_ms` of work. */
  readonly query: (sql: string, timeout_ms: number, signal: AbortSignal) => Promise<QueryResult>;
  /** Told when the job begins (true) and ends (false) to wait for a place to run. */
  readonly on_wait: (began: boolean) => void;
}

/** SQL that code asked, and what came of it. */
export interface IssuedQuery {
  readonly sql: string;
  /** Rows that came back; null where it was refused or failed. */
  readonly rows: number | null;
}

/** What was written to a stream. */
export interface CapturedText {
  readonly text: string;
  /** More was written than is kept; `text` is the beginning. */
  readonly overflowed: boolean;
}

export interface SandboxRun {
  readonly ending:
    | { readonly kind: "finished" }
    /** The code raised: the exception in one line, and the line of the code where that is known. */
    | { readonly kind: "raised"; readonly message: string; readonly line: number | null }
    | { readonly kind: "timeout" }
    /** The process ended otherwise: by a signal, or with an exit code of its own. */
    | { readonly kind: "died"; readonly how: string };
  readonly stdout: CapturedText;
  readonly stderr: CapturedText;
  /** In the order in which they were asked. */
  readonly queries: readonly IssuedQuery[];
}

/** Runs Python that a model wrote, each time from nothing: an empty scratch folder, no state of an earlier run. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /**
   * Runs the code; returns when all of its processes are gone. Whatever the code does is a value; rejects with `SandboxError` when
   * Python cannot be started, and when `signal` is aborted.
   */
  run(code: string, job: SandboxJob): Promise<SandboxRun>;
  /** Kills what runs and removes what was put on disk. */
  close(): Promise<void>;
}
