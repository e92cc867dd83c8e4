import type { RunEnd } from "../core/run-record.js";

/** What the process says when it ends (DESIGN §8). */
export const EXIT = {
  fine: 0,
  gateFailed: 1,
  usage: 2,
  incomplete: 3,
  bug: 70,
  interrupted: 130,
} as const;

/** The exit code that a run's end stands for, before any gate is looked at. */
export function exitCodeOf(end: RunEnd, maxInfra: number): number {
  if (end.status === "interrupted") return EXIT.interrupted;
  const { infra_error, suspended, not_run } = end.counts;
  return end.status === "failed" || suspended > 0 || not_run > 0 || infra_error > maxInfra
    ? EXIT.incomplete
    : EXIT.fine;
}
