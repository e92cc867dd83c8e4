import { UsageError } from "../core/errors.js";
import type { ProgramSandbox } from "../core/ports/agent-program.js";
import type { Sandbox, SandboxFound, SandboxKind } from "../core/ports/sandbox.js";
import type { CommandConfig, Profile } from "../core/profile.js";
import { profileOf, type RunStart, sandboxOf } from "../core/run-record.js";
import { createProgramSandbox, findProgramSandbox } from "../tools/program/agent-sandbox.js";
import { EXECUTE_PYTHON } from "../tools/python/execute-python.js";
import { findSandbox } from "../tools/python/python-find.js";
import { createSandbox } from "../tools/python/python-sandbox.js";

/**
 * What each arm's Python, or the program that is its agent, runs in, by the arm's name; the machine is asked once. Throws UsageError where
 * a program has no sandbox and the profile does not do without.
 */
export async function findSandboxes(profiles: ReadonlyMap<string, Profile>): Promise<Map<string, SandboxFound>> {
  const wanted = new Map<string, Promise<SandboxFound>>();
  const found = new Map<string, SandboxFound>();
  for (const [arm, { tools, agent }] of profiles) {
    if (agent.strategy === "command" && agent.command !== null) {
      found.set(arm, await programSandbox(agent.command));
      continue;
    }
    const { sandbox } = tools.python;
    const asked = wanted.get(sandbox) ?? findSandbox(sandbox);
    wanted.set(sandbox, asked);
    found.set(arm, await asked);
  }
  return found;
}

async function programSandbox(command: CommandConfig): Promise<SandboxFound> {
  const found = await findProgramSandbox(command);
  if (found.python === null) throw new UsageError(`the agent's program cannot run here: ${found.reason}`);
  return found;
}

/** Differences between a run's sandboxes and those of today, in words: all trials of an arm must have been offered the same tools. */
export function changedSandboxes(start: RunStart, now: ReadonlyMap<string, SandboxFound>): string[] {
  return [...now].flatMap(([arm, found]) => {
    const before = sandboxOf(start, arm);
    if (before.python === found.python) return [];
    const where = start.arms.length > 1 ? ` in arm ${arm}` : "";
    const what =
      profileOf(start, arm).agent.strategy === "command" ? "the sandbox of the agent's program" : EXECUTE_PYTHON;
    return [`${what}${where} was ${inWords(before)}, now is ${inWords(found)}`];
  });
}

function inWords({ python, reason }: SandboxFound): string {
  return python ?? `not offered${reason === null ? "" : ` (${reason})`}`;
}

/** The `sandbox` and `arm_sandboxes` of a run-start. */
export function recordedSandboxes(
  found: ReadonlyMap<string, SandboxFound>,
): Pick<RunStart, "sandbox" | "arm_sandboxes"> {
  const [first = { python: null, reason: "the run has no arms" }] = found.values();
  return { sandbox: first, arm_sandboxes: found.size === 1 ? {} : Object.fromEntries(found) };
}

/** What the agents of an arm are offered to run Python in. */
export interface ArmPython {
  readonly found: SandboxFound;
  /** Null where they are not offered it. */
  readonly sandbox: Sandbox | null;
}

/** The sandboxes of a run, one of each kind. */
export interface OpenSandboxes {
  of(arm: string): ArmPython;
  /** Of an arm whose agent is a program. */
  program(arm: string): ProgramSandbox;
  close(): Promise<void>;
}

export function openSandboxes(start: RunStart): OpenSandboxes {
  const open = new Map<SandboxKind, Sandbox>();
  const programs = new Map<SandboxKind, ProgramSandbox>();
  return {
    program: (arm) => {
      const kind = sandboxOf(start, arm).python;
      if (kind === null) throw new Error(`the program of arm ${arm} has no sandbox`);
      const sandbox = programs.get(kind) ?? createProgramSandbox(kind);
      programs.set(kind, sandbox);
      return sandbox;
    },
    of: (arm) => {
      const found = sandboxOf(start, arm);
      if (found.python === null) return { found, sandbox: null };
      const sandbox = open.get(found.python) ?? createSandbox(found.python);
      open.set(found.python, sandbox);
      return { found, sandbox };
    },
    close: async () => {
      await Promise.all([...open.values(), ...programs.values()].map((sandbox) => sandbox.close()));
    },
  };
}
