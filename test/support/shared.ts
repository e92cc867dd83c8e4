import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const given = path.resolve(root, process.env.DAW_EVAL_SHARED ?? "../shared");

/**
 * The shared tasks and conformance data, beside the project or where DAW_EVAL_SHARED says; null where they are not, and
 * tests that need them are then skipped. In CI they must be there.
 */
export const sharedDir: string | null = existsSync(path.join(given, "data")) ? given : null;

if (sharedDir === null && process.env.CI) {
  throw new Error(`no shared data at ${given}: set DAW_EVAL_SHARED to the folder that has data/`);
}
