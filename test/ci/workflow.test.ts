import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { folderWith } from "../support/folder.js";
import { writeTask } from "../support/suite.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const step = z.object({ name: z.string().optional(), uses: z.string().optional(), run: z.string().optional() });
const workflow = z.object({
  env: z.record(z.string(), z.string()),
  jobs: z.object({ eval: z.object({ steps: z.array(step) }) }),
});

/** The steps of the workflow as a runner would do them, in a folder of their own; `npx daw-eval` is this project's. */
function runnerIn(folder: string) {
  const { env, jobs } = workflow.parse(parse(readFileSync(path.join(ROOT, ".github/workflows/eval.yml"), "utf8")));
  mkdirSync(path.join(folder, "bin"));
  const npx = path.join(folder, "bin", "npx");
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}bin/daw-eval.js" "$@"\n`);
  chmodSync(npx, 0o755);
  return (name: string) => {
    const { run = "" } = jobs.eval.steps.find((one) => one.name === name) ?? {};
    if (run === "") throw new Error(`no step ${name}`);
    const code = () => /code=(\d+)\n$/.exec(readFileSync(path.join(folder, "output"), "utf8"))?.[1] ?? "none";
    const script = run.replace(/\$\{\{ steps\.compare\.outputs\.code \}\}/, code);
    const done = spawnSync("bash", ["-eo", "pipefail", "-c", script], {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...env,
        SUITE: "suite",
        HOME: process.env.HOME,
        PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
        GITHUB_STEP_SUMMARY: path.join(folder, "summary"),
        GITHUB_OUTPUT: path.join(folder, "output"),
      },
    });
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  };
}

it("the example workflow runs, compares with what it restored, else with the committed baseline, and tells the gate's exit code", async () => {
  const folder = folderWith();
  await writeTask(path.join(folder, "suite"), { task_id: "task_1", gold: "n\n2\n" });
  const perform = runnerIn(folder);
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");

  expect(perform("Run")).toMatchObject({ code: 0 });
  // Without any baseline nothing can be compared: exit 2, and the comment says so.
  expect(perform("Compare")).toMatchObject({ code: 0 });
  expect(read("output")).toBe("code=2\n");
  expect(read("eval.md")).toBe("The runs could not be compared (exit 2); the log of this job says why.\n");

  expect(perform("Gate")).toMatchObject({ code: 2 });

  // Nothing was restored, but a baseline is committed: one that this run falls short of.
  const committed = path.join(folder, "runs/baselines/demo.jsonl");
  expect(perform("Keep as the next baseline")).toMatchObject({ code: 0 });
  renameSync(path.join(folder, ".eval/base.jsonl"), committed);
  const log = path.join(folder, "runs", "head", "run.jsonl");
  const right = readFileSync(log, "utf8");
  const wrong = right.replaceAll('"perfect","value":1', '"none","value":0');
  expect(wrong).not.toBe(right);
  writeFileSync(log, wrong);
  perform("Compare");
  expect(read("output")).toBe("code=2\ncode=1\n");
  expect(perform("Gate")).toMatchObject({ code: 1 });
  writeFileSync(log, right);

  // What was restored goes before it.
  expect(perform("Keep as the next baseline")).toMatchObject({ code: 0 });
  writeFileSync(committed, "no log\n");
  expect(perform("Compare")).toMatchObject({ code: 0 });
  expect(perform("Gate")).toMatchObject({ code: 0 });
  expect(read("output")).toBe("code=2\ncode=1\ncode=0\n");
  expect(read("eval.md")).toContain("no change: pass rate 100.0 % → 100.0 %");
  expect(read("summary")).toContain("no change");
  expect(read("eval.xml")).toContain("<testsuites");

  // Head now misses what the restored run passed.
  writeFileSync(log, wrong);
  perform("Compare");
  expect(read("output")).toBe("code=2\ncode=1\ncode=0\ncode=1\n");
  expect(read("eval.md")).toMatch(/^### ❌ .*100\.0 % → 0\.0 %/);
});
