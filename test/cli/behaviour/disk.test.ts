import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, type CliRun, cli, startProcess } from "../../support/cli.js";
import { type CliStage, cliStage } from "../../support/cli-run.js";
import { textReply } from "../../support/model-server.js";

const TRIALS = 60;

/** Trials of one text reply; the data is compiled beforehand, so that the run's own files are the large ones. */
async function stageOfMany(): Promise<CliStage> {
  const stage = await cliStage({
    script: () => textReply(`no. ${"Words. ".repeat(200)}`),
    profile: `agent: {repair_limit: 0}\nrepeats: ${TRIALS}\nconcurrency: 4`,
  });
  await cli(["tasks", "suite", "task_1", "--cache-dir", "cache"], { cwd: stage.folder });
  return stage;
}

/** The run, started by a shell that first does `setup`. */
function runUnder(stage: CliStage, shell: readonly string[], setup: string): Promise<CliRun> {
  const [program = "bash", ...args] = [...shell, "bash", "-c", setup, process.execPath, BIN, ...stage.args, "--quiet"];
  return startProcess(program, args, { cwd: stage.folder, env: stage.env }).done;
}

/** Every complete line of a run's files is JSON; returns how many trials have an end. */
function wholeLines({ runFolder }: CliStage): number {
  const lines = (file: string) => readFileSync(file, "utf8").split("\n").slice(0, -1);
  for (const name of readdirSync(runFolder, { recursive: true, encoding: "utf8" })) {
    const file = path.join(runFolder, name);
    if (statSync(file).isFile() && name.endsWith(".jsonl")) for (const line of lines(file)) JSON.parse(line);
  }
  return lines(path.join(runFolder, "run.jsonl")).filter((line) => line.includes('"record":"trial-end"')).length;
}

async function goesOn(stage: CliStage, ended: number): Promise<void> {
  const requests = stage.server.requests.length;
  expect(await stage.on("resume", "--quiet")).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining("daw-eval: "),
  });
  const ends = (await stage.records()).flatMap((record) => (record.record === "trial-end" ? [record.k] : []));
  expect([...ends].sort((a, b) => a - b)).toEqual(Array.from({ length: TRIALS }, (_, index) => index + 1));
  // Trials that had ended are not asked for again; of the others each at most once more.
  expect(stage.server.requests.length - requests).toBeLessThanOrEqual(TRIALS - ended);
}

describe("row 10: a disk", () => {
  it("that takes no more of a file (ulimit -f) ends the run with one clear line; what was written stands, and resume goes on", async () => {
    const stage = await stageOfMany();
    const { code, stderr } = await runUnder(stage, [], `ulimit -f 60; exec "$0" "$@"`);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^daw-eval: \S+run\.jsonl cannot be written \(EFBIG.*\); what was written before stands: make room/m,
    );
    expect(stderr).not.toContain("    at ");
    const ended = wholeLines(stage);
    expect(ended).toBeGreaterThan(0);
    expect(ended).toBeLessThan(TRIALS);
    await goesOn(stage, ended);
  });

  // Containers may refuse a namespace, or a mount inside one.
  const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status === 0;
  it.skipIf(!canMount)("that is full (a tmpfs; needs a machine that lets us mount one) does so too", async () => {
    const stage = await stageOfMany();
    const copy = path.join(stage.folder, "kept");
    // Mounted for this process tree only; what it left there is copied out before the mount goes with it.
    const script = `mkdir -p runs && mount -t tmpfs -o size=300k tmpfs runs && "$0" "$@"; code=$?; cp -a runs ${copy}; exit $code`;
    const { code, stderr } = await runUnder(stage, ["unshare", "-rm"], script);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^daw-eval: .*ENOSPC/m);
    expect(stderr).not.toContain("    at ");
    rmSync(path.join(stage.folder, "runs"), { recursive: true, force: true });
    renameSync(copy, path.join(stage.folder, "runs"));
    const ended = wholeLines(stage);
    expect(ended).toBeLessThan(TRIALS);
    await goesOn(stage, ended);
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(isRoot && !canMount)(
    "on which the folder is read-only (as root: needs a mount) is one line, exit 3, and nothing asked",
    async () => {
      const stage = await cliStage({ script: () => textReply("no") });
      const runs = path.join(stage.folder, "runs");
      mkdirSync(runs);
      chmodSync(runs, 0o555);
      // Root may write anywhere, but not where a mount is read-only.
      const readOnly = `mount --bind runs runs && mount -o remount,bind,ro runs && exec "$0" "$@"`;
      const { code, stderr } = isRoot
        ? await runUnder(stage, ["unshare", "-m"], readOnly)
        : await runUnder(stage, [], `exec "$0" "$@"`);
      chmodSync(runs, 0o755);
      expect(code).toBe(3);
      expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/^daw-eval: E(ACCES|ROFS): .*runs\/r/)]);
      expect(stage.server.requests).toEqual([]);
    },
  );
});
