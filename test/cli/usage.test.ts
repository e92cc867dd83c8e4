import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { writeTask } from "../support/suite.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-usage-"));
});

/** Runs, and holds every usage error to its form: exit 2, one line each, nothing on stdout, nothing created. */
async function refused(args: readonly string[]): Promise<string[]> {
  const before = await readdir(folder, { recursive: true });
  const { code, stdout, stderr } = await cli([...args, "--out", path.join(folder, "runs")], { cwd: folder });
  expect(stderr).not.toContain("    at ");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(await readdir(folder, { recursive: true })).toEqual(before);
  return stderr.trimEnd().split("\n");
}

describe("a usage error", () => {
  it("says in one line that --only selects nothing, and which ids come close", async () => {
    await writeTask(folder, { task_id: "task_11" });
    const lines = await refused(["run", folder, "--only", "task_1x"]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/task_1x.*task_11/);
  });

  it.each([
    ["-n", "0"],
    ["-n", "three"],
    ["--limit", "0"],
    ["--concurrency", "-1"],
    ["--min-pass", "60"],
    ["--shard", "3/2"],
    ["--run-id", "../elsewhere"],
    ["--set", "model.temprature=0"],
  ])("refuses %s %s in one line that names the flag", async (flag, value) => {
    await writeTask(folder, { task_id: "task_1" });
    const lines = await refused(["run", folder, `${flag}=${value}`.replace(/^-n=/, "-n")]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(value.split("=")[0]);
  });

  it("refuses checks.yaml that cannot be read before anything is asked, every problem with its line", async () => {
    for (const id of ["task_1", "task_2"]) await writeTask(folder, { task_id: id, gold: "n\n2\n" });
    await writeFile(path.join(folder, "task_1", "checks.yaml"), "line_formats:\n  - {name: sources, pattern: '^('}\n");
    await writeFile(path.join(folder, "task_2", "checks.yaml"), "scoring: {}\nverfy: []\n");
    const lines = await refused(["run", folder]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("task_1/checks.yaml:2: ");
    expect(lines[1]).toContain('task_2/checks.yaml:2: unknown key "verfy"; did you mean "verify"?');
    expect(await refused(["run", folder, "--dry-run", "--only", "task_2"])).toHaveLength(1);
  });

  it("refuses an empty folder and a folder that is not there", async () => {
    expect(await refused(["run", folder])).toHaveLength(1);
    expect(await refused(["run", path.join(folder, "nowhere")])).toHaveLength(1);
  });

  it("lists all that is wrong with the tasks at once, a line an error with its path", async () => {
    await writeTask(folder, { task_id: "task_1" });
    await mkdir(path.join(folder, "task_2", "context"), { recursive: true });
    await writeFile(path.join(folder, "task_2", "task.json"), '{"task_id": "task_2", ');
    await mkdir(path.join(folder, "task_3", "context"), { recursive: true });
    await writeFile(path.join(folder, "task_3", "task.json"), '{"task_id": "task_3"}');
    await mkdir(path.join(folder, "task_4"), { recursive: true });
    await writeFile(path.join(folder, "task_4", "task.json"), '{"task_id": "task_4", "question": "where?"}');
    await mkdir(path.join(folder, "task_5", "context"), { recursive: true });
    await writeFile(path.join(folder, "task_5", "task.json"), '{"task_id": "task_1", "question": "again?"}');
    const lines = await refused(["run", folder]);
    const text = lines.join("\n");
    for (const name of ["task_2", "task_3", "task_5"]) expect(text).toContain(path.join(name, "task.json"));
    expect(text).toMatch(/task_3.*question/);
    expect(text).toMatch(/task_1.*(twice|two|already|duplicate)/i);
    expect(text).toMatch(/task_4.*context/);
  });

  it("names file, line and the nearest key for a typo in the profile", async () => {
    await writeTask(folder, { task_id: "task_1" });
    const profile = path.join(folder, "mine.yaml");
    await writeFile(profile, "extends: builtin\nagent:\n  max_stepps: 5\n");
    const lines = await refused(["run", folder, "-p", profile]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/mine\.yaml:3.*max_stepps.*max_steps/);
  });

  it("names the variable that should hold the key", async () => {
    await writeTask(folder, { task_id: "task_1" });
    const profile = path.join(folder, "mine.yaml");
    await writeFile(
      profile,
      "model: {provider: openai, name: m, base_url: http://127.0.0.1:9/v1, api_key_env: MISSING_KEY_OF_MINE}\n",
    );
    const lines = await refused(["run", folder, "-p", profile]);
    expect(lines).toEqual([expect.stringContaining("MISSING_KEY_OF_MINE")]);
  });

  it.each([
    [["rnu"], "daw-eval: unknown command 'rnu'; did you mean run? (see daw-eval --help)"],
    [["run"], "daw-eval: missing required argument 'tasks' (see daw-eval run --help)"],
    [["doctor", "--clan"], "daw-eval: unknown option '--clan'; did you mean --clean? (see daw-eval doctor --help)"],
    [["runs"], "daw-eval: runs: no such folder: nothing has been run here yet, or --dir says where"],
    [["runs", "lsit"], "daw-eval: unknown command 'lsit' of runs: list, clean (see daw-eval runs --help)"],
    [["verify", "--text", "x", "--checks", "y.yaml"], "daw-eval: y.yaml: no such file"],
    [["container", "--input", "none", "--output", "o", "--logs", "l"], "daw-eval: none: no such folder"],
  ])("of %j is one line that says what and where to look, and creates nothing", async (args, line) => {
    expect(await cli(args, { cwd: folder })).toMatchObject({ code: 2, stdout: "", stderr: `${line}\n` });
    expect(await readdir(folder)).toEqual([]);
  });

  it("is none to ask for the version", async () => {
    const { code, stdout } = await cli(["--version"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "0.1.0\n" });
  });
});
