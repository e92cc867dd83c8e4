import { createHash } from "node:crypto";
import { UsageError } from "./errors.js";

/** Who a trial is: never a position. `k` counts repeats from 1. */
export interface TrialIdentity {
  readonly arm: string;
  readonly task_id: string;
  readonly k: number;
}

/** The only arm of a run without a matrix. */
export const MAIN_ARM = "main";

/** Whether a name may be a task id or run id, i.e. a folder name on every platform: letters and digits of any script, `.`, `_`, `-`. */
export function isSafeName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._-]*$/u.test(name) && Buffer.byteLength(name) <= 200;
}

/** Whether a name may be an arm's: `strategy=react,temperature=0.2`. `=` and `,` can stand in a folder's name on every platform, too. */
export function isArmName(name: string): boolean {
  return isSafeName(name.replaceAll(/[=,]/g, "_"));
}

/** `task_64#2@main`: the written form of an identity. */
export function formatIdentity(identity: TrialIdentity): string {
  return `${identity.task_id}#${identity.k}@${identity.arm}`;
}

/** `task_64#2`, with its arm where that is not `main`. */
export function shortIdentity(identity: TrialIdentity): string {
  return identity.arm === MAIN_ARM ? `${identity.task_id}#${identity.k}` : formatIdentity(identity);
}

/** Reads `task#k@arm` or `task#k` (arm `main`). Throws UsageError. */
export function parseIdentity(text: string): TrialIdentity {
  const match = /^(.+)#(\d+)(?:@(.+))?$/u.exec(text);
  const [, task_id, k, arm] = match ?? [];
  if (task_id === undefined || k === undefined || Number(k) < 1) {
    throw new UsageError(`"${text}" is not a trial: write task#repeat, for example task_64#2`);
  }
  return { arm: arm ?? MAIN_ARM, task_id, k: Number(k) };
}

/** The seed of a trial, 0 … 2^31−1: the same in every arm, so that arms differ by what they are and not by luck. */
export function trialSeed(runSeed: number, taskId: string, k: number): number {
  return (
    createHash("sha256")
      .update(JSON.stringify([runSeed, taskId, k]))
      .digest()
      .readUInt32BE(0) >>> 1
  );
}
