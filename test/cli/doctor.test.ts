import { existsSync, readdirSync, utimesSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { writeTask } from "../support/suite.js";

describe("daw-eval doctor", () => {
  it("tries everything for real and says what it found, a line each", async () => {
    const cwd = folderWith();
    const { code, stdout } = await cli(["doctor", "--cache-dir", "cache"], { cwd });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.slice(7, 21).trim())).toEqual([
      "node",
      "prlimit",
      "bwrap",
      "python",
      "queries",
      "cache",
      "disk",
      "write to cache",
      "write to runs",
    ]);
    expect(lines[4]).toBe("ok     queries        a query child starts and answers");
  });

  it("is JSON on request; what is missing says what is weaker and what to do", async () => {
    const { ok, checks } = JSON.parse((await cli(["doctor", "--json"], { cwd: folderWith() })).stdout);
    expect(ok).toBe(true);
    for (const check of checks) {
      expect(check).toMatchObject({
        check: expect.any(String),
        ok: expect.any(Boolean),
        required: expect.any(Boolean),
      });
      if (!check.ok) expect(check.detail).toMatch(/install|make room|does not work here/);
    }
  });

  it("exits 3 where something that every run needs does not work", async () => {
    const cwd = folderWith({ blocked: "a file, not a folder" });
    const { code, stdout } = await cli(["doctor", "--cache-dir", "blocked/cache"], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining("FAILS  write to cache") });
  });

  it("--clean says the size before it trims, least recently used first", async () => {
    const cwd = folderWith();
    const big = `n\n${"12345678\n".repeat(200_000)}`;
    await writeTask(cwd, { task_id: "task_1", context: { "csv/a.csv": big } });
    await writeTask(cwd, { task_id: "task_2", context: { "csv/b.csv": `m\n${big}` } });
    for (const id of ["task_1", "task_2"]) await cli(["tasks", cwd, id, "--cache-dir", "cache"], { cwd });
    const kept = await cli(["doctor", "--clean", "--cache-dir", "cache"], { cwd });
    expect(kept.stdout).toMatch(
      /cache: 2 compiled contexts, .*iB; trimming to 2\.0 GiB\nremoved 0 compiled contexts, 0 B\n$/,
    );
    const gone = await cli(["doctor", "--clean", "0", "--cache-dir", "cache", "--json"], { cwd });
    const { bytes_before, kept_bytes, removed } = JSON.parse(gone.stdout);
    expect(removed).toHaveLength(2);
    expect({ whole: bytes_before > 0, kept_bytes }).toEqual({ whole: true, kept_bytes: 0 });
  });

  it("--clean removes the oldest stored responses too, to a size of both together", async () => {
    const response = {
      "cache/responses/aa/1.json": "x".repeat(600_000),
      "cache/responses/bb/2.json": "x".repeat(600_000),
    };
    const cwd = folderWith(response);
    utimesSync(path.join(cwd, "cache/responses/bb/2.json"), 1, 1);
    const { stdout } = await cli(["doctor", "--clean", "1", "--cache-dir", "cache"], { cwd });
    expect(stdout).toMatch(
      /0 B, and 2 stored responses, 1\.1 MiB; trimming to 1\.0 MiB\nremoved .*1 stored response, /,
    );
    expect(existsSync(path.join(cwd, "cache/responses/aa/1.json"))).toBe(true);
    expect(existsSync(path.join(cwd, "cache/responses/bb/2.json"))).toBe(false);
  });

  it("--clean removes what killed runs left among the temporary files, and nothing that is in use or not ours", async () => {
    const files = ["daw-eval-agent-aB3_x9/task/task.json", "daw-eval-context-Zz0000/a.csv", "other-agent-aB3dx9/a"];
    const tmp = folderWith(Object.fromEntries([...files, "daw-eval-port-inuse1/s"].map((file) => [file, "12345"])));
    const longAgo = Date.now() / 1000 - 8 * 24 * 3600;
    for (const file of files) utimesSync(path.join(tmp, file.split("/")[0] ?? ""), longAgo, longAgo);
    const { stdout } = await cli(["doctor", "--clean", "--cache-dir", "c"], {
      cwd: folderWith(),
      env: { TMPDIR: tmp },
    });
    expect(stdout).toContain(`${tmp}: 2 folders of killed runs, 10 B\nremoved 0 compiled contexts, 0 B; 2 folders`);
    expect(readdirSync(tmp).sort()).toEqual(["daw-eval-port-inuse1", "other-agent-aB3dx9"]);
  });

  it("--clean refuses nonsense", async () => {
    expect(await cli(["doctor", "--clean", "-5"], { cwd: folderWith() })).toMatchObject({ code: 2 });
  });
});
