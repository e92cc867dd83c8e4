import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Compiles `src` to `dist` once before the tests: child processes (the query child, the CLI) run from there. */
export default function build(): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const built = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) process.stderr.write(`the build reports type errors:\n${built.stdout}\n`);
}
