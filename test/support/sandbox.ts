import { findSandbox } from "../../src/tools/python/python-find.js";

const { python, reason } = await findSandbox("auto");

/** Why Python has no sandbox on this machine, and tests that need one are skipped; null where they run. In CI there must be one. */
export const noSandbox: string | null = python === null ? (reason ?? "no reason given") : null;

if (noSandbox !== null && (process.env.CI || process.env.DAW_EVAL_REQUIRE_SANDBOX)) {
  throw new Error(`no sandbox for Python here: ${noSandbox}`);
}

/** A suite's name, which says so where it is skipped. */
export function sandboxed(name: string): string {
  return noSandbox === null ? name : `${name} (skipped: ${noSandbox})`;
}
