import { UsageError } from "../../src/core/errors.js";

/** The lines of the UsageError that `action` ends in; fails where it ends in another way. */
export async function usageLines(action: () => unknown): Promise<readonly string[]> {
  try {
    await action();
  } catch (error) {
    if (error instanceof UsageError) return error.lines;
    throw error;
  }
  throw new Error("no UsageError was thrown");
}
