import { UsageError } from "../core/errors.js";
import { loadGold, type TaskPlace } from "./gold.js";

/**
 * Reads the checks of all tasks before a run begins: one with checks that cannot be read would cost its task the scores that were paid for.
 * Throws UsageError with every problem of every file, `file:line: …`.
 */
export async function refuseBadChecks(tasks: readonly TaskPlace[]): Promise<void> {
  const problems: string[] = [];
  for (const task of tasks) {
    await loadGold(task).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      problems.push(...error.lines);
    });
  }
  if (problems.length > 0) throw new UsageError(problems);
}
