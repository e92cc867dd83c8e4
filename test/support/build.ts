import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const STEPS = [
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"],
  ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"],
];

/** Builds `dist` once before the tests: child processes (the query child, the CLI) run from there, and the report's script is bundled. */
export default function build(): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  for (const step of STEPS) {
    const built = spawnSync(process.execPath, step, { cwd: root, encoding: "utf8" });
    if (built.status !== 0) process.stderr.write(`the build reports errors:\n${built.stdout}${built.stderr}\n`);
  }
}
