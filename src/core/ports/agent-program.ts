import type { AgentNetwork } from "../profile.js";
import type { SandboxKind } from "./sandbox.js";

/** Where the program reaches the model. */
export type PortAddress =
  /** A socket that a sandbox without a network can be shown; its folder holds nothing else. */
  | { readonly kind: "socket"; readonly folder: string; readonly name: string }
  | { readonly kind: "loopback"; readonly port: number };

export interface ProgramJob {
  readonly argv: readonly string[];
  /** Absolute path of the program's own folder; null where it has none. */
  readonly folder: string | null;
  /** Absolute path of the task's data. */
  readonly context_dir: string;
  readonly task: { readonly task_id: string; readonly question: string };
  readonly network: AgentNetwork;
  readonly memory_bytes: number;
  readonly limits: ProgramLimits;
  readonly seed: number;
  /** Null: there is no model to ask. */
  readonly model: { readonly address: PortAddress; readonly name: string; readonly token: string } | null;
  /** Environment variables beside our own. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborted: everything is killed and the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** What the program is told of its limits. */
export interface ProgramLimits {
  readonly seconds: number;
  readonly model_calls: number;
  readonly tokens: number | null;
  readonly cost_usd: number | null;
}

/** What a program that is the agent left, when all of it is gone. */
export interface ProgramRun {
  /** How it ended, in words; null for exit code 0. */
  readonly failure: string | null;
  /** Bytes of what it wrote; null where it did not, empty where that is more than is taken. */
  readonly prediction: Uint8Array | null;
  readonly trace: Uint8Array | null;
  readonly conclusion: Uint8Array | null;
  /** The ends of its streams. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs programs that are agents, each time from nothing. */
export interface ProgramSandbox {
  readonly kind: SandboxKind;
  /** Rejects with `SandboxError` where the program cannot be started, and when `signal` is aborted. */
  run(job: ProgramJob): Promise<ProgramRun>;
  /** Kills what runs and removes what was put on disk. */
  close(): Promise<void>;
}
