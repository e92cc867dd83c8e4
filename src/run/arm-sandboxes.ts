import type { Sandbox, SandboxFound, SandboxKind } from "../core/ports/sandbox.js";
import type { Profile } from "../core/profile.js";
import { type RunStart, sandboxOf } from "../core/run-record.js";
import { EXECUTE_PYTHON } from "../tools/execute-python.js";
import { findSandbox } from "../tools/python-find.js";
import { createSandbox } from "../tools/python-sandbox.js";

/** What each arm's Python runs in, by the arm's name; the machine is asked once. */
export async function findSandboxes(profiles: ReadonlyMap<string, Profile>): Promise<Map<string, SandboxFound>> {
  const wanted = new Map<string, Promise<SandboxFound>>();
  const found = new Map<string, SandboxFound>();
  for (const [arm, { tools }] of profiles) {
    const { sandbox } = tools.python;
    const asked = wanted.get(sandbox) ?? findSandbox(sandbox);
    wanted.set(sandbox, asked);
    found.set(arm, await asked);
  }
  return found;
}

/** Differences between a run's sandboxes and those of today, in words: all trials of an arm must have been offered the same tools. */
export function changedSandboxes(start: RunStart, now: ReadonlyMap<string, SandboxFound>): string[] {
  return [...now].flatMap(([arm, found]) => {
    const before = sandboxOf(start, arm);
    if (before.python === found.python) return [];
    const where = start.arms.length > 1 ? ` in arm ${arm}` : "";
    return [`${EXECUTE_PYTHON}${where} was ${inWords(before)}, now is ${inWords(found)}`];
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
  close(): Promise<void>;
}

export function openSandboxes(start: RunStart): OpenSandboxes {
  const open = new Map<SandboxKind, Sandbox>();
  return {
    of: (arm) => {
      const found = sandboxOf(start, arm);
      if (found.python === null) return { found, sandbox: null };
      const sandbox = open.get(found.python) ?? createSandbox(found.python);
      open.set(found.python, sandbox);
      return { found, sandbox };
    },
    close: async () => {
      await Promise.all([...open.values()].map((sandbox) => sandbox.close()));
    },
  };
}
