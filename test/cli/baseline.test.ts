import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { logText, runOf } from "../support/run-records.js";

describe("daw-eval baseline", () => {
  it("saves a run as one small file that stands wherever a run does, and lists it", async () => {
    const log = logText(runOf({ task_1: "111", task_2: "110" }, { run_id: "a", suite: "/secret/place" }));
    const cwd = folderWith({ "runs/a/run.jsonl": log });
    expect(await cli(["baseline", "save", "a"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(path.join(cwd, "runs/baselines/demo.jsonl"), "utf8")).not.toContain("/secret");
    const diff = JSON.parse((await cli(["diff", "demo", "a", "--json"], { cwd })).stdout);
    expect(diff).toMatchObject({ common: 2, delta: 0, verdict: "no change" });
    expect((await cli(["baseline", "list"], { cwd })).stdout).toMatch(/^demo +a +2 +83.3 %/m);
  });

  it("refuses a run that is not whole", async () => {
    const cwd = folderWith({ "runs/a/run.jsonl": logText(runOf({ task_1: "11." })) });
    expect((await cli(["baseline", "save", "a"], { cwd })).code).toBe(3);
  });
});
