import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { inNewFolder } from "../../../src/run/log/new-folder.js";
import { folderWith } from "../../support/folder.js";
import { runStart } from "../../support/records.js";

const clock = { iso: () => "2026-12-01T00:00:00.000Z", milliseconds: () => 0 };
const begin = (folder: string) =>
  inNewFolder(folder, runStart(), clock, async () => readFileSync(path.join(folder, "run.jsonl"), "utf8"));
const gone = JSON.stringify({
  pid: 2 ** 22 + 1,
  host: hostname(),
  since: clock.iso(),
  id: "of a process that was killed",
});

describe("the folder of a run", () => {
  it.each([
    ["no record", {}],
    ["an empty log", { "run.jsonl": "" }],
    ["a torn first record and the lock of the killed process", { "run.jsonl": '{"record":"run-st', "run.lock": gone }],
  ])("that a kill left with %s is begun again", async (_, files) => {
    const folder = folderWith(files);
    expect((await begin(folder)).split("\n").map((line) => line.slice(0, 22))).toEqual(['{"record":"run-start",', ""]);
  });

  it.each([
    ["a whole record", { "run.jsonl": "{}\n" }],
    ["somebody's file", { "notes.txt": "" }],
  ])("with %s is not touched", async (_, files) => {
    const folder = folderWith(files);
    await expect(begin(folder)).rejects.toThrow("a run id is used once");
    expect(Object.entries(files).every(([name, text]) => readFileSync(path.join(folder, name), "utf8") === text)).toBe(
      true,
    );
  });

  it("that another process has just begun is left to it", async () => {
    const folder = folderWith();
    mkdirSync(path.join(folder, "run"));
    const held = { ...JSON.parse(gone), pid: process.pid };
    writeFileSync(path.join(folder, "run", "run.lock"), JSON.stringify(held));
    await expect(begin(path.join(folder, "run"))).rejects.toThrow("holds");
  });
});
