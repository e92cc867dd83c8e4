import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { findProgram } from "../../src/context/query-capabilities.js";
import { cli } from "../support/cli.js";
import { probe, submit, turnOf } from "../support/cli-run.js";
import { folderWith } from "../support/folder.js";
import { errorReply, startModelServer } from "../support/model-server.js";
import { until } from "../support/processes.js";
import { recordsOf } from "../support/run-files.js";
import { noSandbox, sandboxed } from "../support/sandbox.js";
import { writeTask } from "../support/suite.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The container as a namespace: the paths of the image, a read-only /input, nothing else of the machine that can be written. */
function namespace(folder: string, env: Readonly<Record<string, string>>): string[] {
  const real = (file: string) => realpathSync(file);
  const links = ["/bin", "/lib", "/lib64"].filter((link) => existsSync(link) && real(link) !== link);
  const own = [ROOT, real(path.join(ROOT, "node_modules")), real(process.execPath)].filter(
    (file) => !file.startsWith("/usr/"),
  );
  return [
    ["--unshare-pid", "--die-with-parent", "--clearenv"],
    ...Object.entries({ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", ...env }).map((pair) => [
      "--setenv",
      ...pair,
    ]),
    ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"],
    ...links.map((link) => ["--symlink", real(link).slice(1), link]),
    ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    // After /tmp, which may be where the project is.
    ...own.map((file) => ["--ro-bind", file, file]),
    ["--ro-bind", path.join(folder, "input"), "/input"],
    ["--bind", path.join(folder, "output"), "/output", "--bind", path.join(folder, "logs"), "/logs"],
    ["--chdir", "/", "--", process.execPath, path.join(ROOT, "bin", "daw-eval.js"), "container"],
  ].flat();
}

interface Container {
  readonly child: ChildProcess;
  readonly done: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function startContainer(folder: string, env: Readonly<Record<string, string>>): Container {
  const child = spawn(findProgram("bwrap") ?? "bwrap", namespace(folder, env), { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const done = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stderr })),
  );
  return { child, done };
}

test.skipIf(noSandbox !== null)(
  sandboxed("the container writes each prediction at once, and goes on after a restart as if it had not been killed"),
  async () => {
    const folder = folderWith({
      "output/task_9/prediction.csv": "of another image\n1\n",
      "output/task_2/prediction.csv": "old\n1\n",
    });
    for (const place of ["output", "logs"]) mkdirSync(path.join(folder, place), { recursive: true });
    for (const task_id of ["task_1", "task_2", "task_3"]) await writeTask(path.join(folder, "input"), { task_id });
    chmodSync(path.join(folder, "input"), 0o555);
    // The second task hangs in the first process; the third can only be reached by another.
    let hangs = true;
    const script = await startModelServer((request) => {
      const asked = [turnOf(request), hangs && server.requests.length > 2] as const;
      if (asked[1]) return new Promise(() => {});
      return asked[0] === 0 ? probe() : submit();
    });
    const server = script;
    onTestFinished(() => server.close());
    const env = {
      MODEL_API_URL: server.base_url,
      MODEL_API_KEY: "sk-canary-9f3",
      MODEL_NAME: "scripted",
      CONCURRENCY: "1",
    };
    const written = (id: string) => path.join(folder, "output", id, "prediction.csv");

    const first = startContainer(folder, env);
    await until(() => server.requests.length === 3, 60_000);
    await until(() => existsSync(written("task_1")));
    expect(readFileSync(written("task_1"), "utf8")).toBe("n\n2\n");
    expect(existsSync(written("task_2"))).toBe(false);
    first.child.kill("SIGKILL");
    await first.done;
    hangs = false;

    const second = await startContainer(folder, env).done;
    expect(second).toMatchObject({ code: 0 });
    for (const id of ["task_1", "task_2", "task_3"]) expect(readFileSync(written(id), "utf8")).toBe("n\n2\n");
    expect(readdirSync(path.join(folder, "output")).sort()).toEqual(["task_1", "task_2", "task_3", "task_9"]);
    // Two calls a task; the one that was in flight at the kill is made again, no other.
    expect(server.requests).toHaveLength(7);
    const records = await recordsOf(path.join(folder, "logs", "run"));
    expect(records.filter(({ record }) => record === "trial-end")).toHaveLength(3);
    expect(records.at(-1)).toMatchObject({ record: "run-end", counts: { planned: 3, valid: 3, not_run: 0 } });
    expect(JSON.stringify(records)).not.toContain("sk-canary-9f3");
    expect(readdirSync(path.join(folder, "input"))).toEqual(["task_1", "task_2", "task_3"]);

    // A third start has nothing to do; one whose time is over would not begin anything.
    const third = await startContainer(folder, { ...env, RUN_SECONDS: "1" }).done;
    expect(third.code).toBe(0);
    expect(server.requests).toHaveLength(7);
  },
);

test("the container tries again what failed, and its time runs from its first start: what a restart has no time for is not run, and the counts add up", async () => {
  const folder = folderWith();
  for (const task_id of ["task_1", "task_2"]) await writeTask(path.join(folder, "input"), { task_id });
  let down = true;
  const server = await startModelServer(() => (down ? errorReply(401, "no such key") : submit()));
  onTestFinished(() => server.close());
  const env = { MODEL_API_URL: server.base_url, MODEL_API_KEY: "sk-canary-9f3", MODEL_NAME: "scripted" };
  const args = [
    "container",
    "--input",
    "input",
    "--output",
    "output",
    "--logs",
    "logs",
    "--set",
    "limits.run_seconds=3600",
  ];
  const log = path.join(folder, "logs", "run", "run.jsonl");
  // Stopped before it had written a line, it begins anew.
  mkdirSync(path.dirname(log), { recursive: true });
  writeFileSync(log, '{"record":"run-st');
  expect((await cli(args, { cwd: folder, env })).code).toBe(3);
  expect(readdirSync(path.join(folder, "output"))).toEqual([]);
  // What failed by the endpoint's trouble gets another attempt. Whoever held the run was in a container that is gone, whatever has its number now.
  const holder = { pid: process.pid, host: hostname(), since: "2026-01-01T00:00:00.000Z", id: "gone" };
  writeFileSync(path.join(path.dirname(log), "run.lock"), JSON.stringify(holder));
  down = false;
  expect((await cli(args, { cwd: folder, env })).code).toBe(0);
  expect(readdirSync(path.join(folder, "output")).sort()).toEqual(["task_1", "task_2"]);
  const [start = "", ...others] = readFileSync(log, "utf8").split("\n");
  const earlier = new Date(Date.now() - 3_601_000).toISOString();
  const ofTask2 = others.filter((line) => !line.includes("task_1") && !line.includes("run-end"));
  writeFileSync(log, [start.replace(/"at":"[^"]+"/, `"at":"${earlier}"`), ...ofTask2].join("\n"));
  const again = await cli(args, { cwd: folder, env });
  expect(again.code).toBe(3);
  const records = await recordsOf(path.join(folder, "logs", "run"));
  expect(records.at(-1)).toMatchObject({ record: "run-end", counts: { planned: 2, valid: 1, not_run: 1 } });
  expect(existsSync(path.join(folder, "output", "task_2", "prediction.csv"))).toBe(true);
  expect(existsSync(path.join(folder, "output", "task_1", "prediction.csv"))).toBe(false);
  const closed = await cli([...args, "--output", "/proc/nowhere"], { cwd: folder, env });
  expect(closed).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--output /proc/nowhere: cannot be written to"),
  });
});
