import type { ChildProcess } from "node:child_process";

/** Kills a child that leads a process group with whatever wraps it; where there are no groups, the child alone. One that is gone stays so. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
