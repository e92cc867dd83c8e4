import path from "node:path";
import type { TrialIdentity } from "../../core/identity.js";

/** Where things are in a run's folder. */

export function runLogFile(runFolder: string): string {
  return path.join(runFolder, "run.jsonl");
}

/** The folder of one attempt of a trial, relative to the run, `/`-separated. */
export function attemptPath(identity: TrialIdentity, attempt: number): string {
  return ["trials", identity.arm, identity.task_id, String(identity.k), String(attempt)].join("/");
}

export function attemptFolder(runFolder: string, identity: TrialIdentity, attempt: number): string {
  return path.join(runFolder, ...attemptPath(identity, attempt).split("/"));
}
