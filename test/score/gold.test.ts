import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NO_CHECKS } from "../../src/score/checks.js";
import { goldDigest, loadGold } from "../../src/score/gold.js";
import { folderWith } from "../support/folder.js";
import { usageLines } from "../support/usage-lines.js";

const gold = "n\n1\n";

describe("the gold of a task", () => {
  it("is in output/ beside input/, by the task's id or its folder's name", async () => {
    const root = folderWith({
      "input/task_1/task.json": "{}",
      "output/task_1/gold.csv": gold,
      "input/task_2/task.json": "{}",
      "output/other_id/gold.csv": gold,
      "output/other_id/checks.yaml": "scoring: {penalty: 0.5}\n",
    });
    const place = (folder: string, task_id: string) => ({ folder: path.join(root, "input", folder), task_id });
    expect(await loadGold(place("task_1", "task_1"))).toEqual({
      file: path.join(root, "output/task_1/gold.csv"),
      checks: NO_CHECKS,
    });
    expect((await loadGold(place("task_1", "one"))).file).toBe(path.join(root, "output/task_1/gold.csv"));
    expect(await loadGold(place("task_2", "other_id"))).toEqual({
      file: path.join(root, "output/other_id/gold.csv"),
      checks: { ...NO_CHECKS, scoring: { penalty: 0.5 } },
    });
  });

  it("is beside task.json in a suite made by hand, also in one with an input folder", async () => {
    const root = folderWith({ "task_1/gold.csv": gold, "input/task_2/gold.csv": gold });
    expect((await loadGold({ folder: path.join(root, "task_1"), task_id: "task_1" })).file).not.toBeNull();
    expect((await loadGold({ folder: path.join(root, "input/task_2"), task_id: "task_2" })).file).not.toBeNull();
  });

  it("is optional", async () => {
    const folder = folderWith({ "task.json": "{}" });
    expect(await loadGold({ folder, task_id: "task_1" })).toEqual({ file: null, checks: NO_CHECKS });
    expect(await goldDigest(folder, "task_1")).toBeNull();
  });
});

describe("the digest of gold and checks", () => {
  it("changes with either file and with nothing else", async () => {
    const digestOf = async (files: Readonly<Record<string, string>>) => goldDigest(folderWith(files), "task_1");
    const digests = await Promise.all([
      digestOf({ "gold.csv": gold }),
      digestOf({ "gold.csv": "n\n2\n" }),
      digestOf({ "gold.csv": gold, "checks.yaml": "" }),
      digestOf({ "gold.csv": gold, "checks.yaml": "scoring: {penalty: 0.2}" }),
      digestOf({ "checks.yaml": gold }),
    ]);
    expect(new Set(digests).size).toBe(digests.length);
    expect(await digestOf({ "gold.csv": gold, "task.json": "{}" })).toBe(digests[0]);
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("exists for a gold that cannot be read, so that planning a run does not fail over it", async () => {
    const folder = folderWith();
    mkdirSync(path.join(folder, "gold.csv"));
    expect(await goldDigest(folder, "task_1")).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("checks.yaml", () => {
  const problems = async (text: string) => {
    const folder = folderWith({ "checks.yaml": text });
    const lines = await usageLines(() => loadGold({ folder, task_id: "task_1" }));
    return lines.map((line) => line.replace(folder + path.sep, ""));
  };

  it("holds scorer options of a task, all optional", async () => {
    const folder = folderWith({
      "checks.yaml":
        "# how this task is scored\nscoring:\n  scorers: [text]\n  penalty: 0.2\n  names: strict\n  thousands: true\n  tolerance: 0.5\n",
    });
    expect((await loadGold({ folder, task_id: "task_1" })).checks.scoring).toEqual({
      scorers: ["text"],
      penalty: 0.2,
      names: "strict",
      thousands: true,
      tolerance: 0.5,
    });
  });

  it("may be empty", async () => {
    const folder = folderWith({ "checks.yaml": "# nothing yet\n" });
    expect((await loadGold({ folder, task_id: "task_1" })).checks).toEqual(NO_CHECKS);
  });

  it("with an unknown key says where, and what was meant", async () => {
    expect(await problems("scoring:\n  penalty: 0.1\n  penalti: 0.2\n")).toEqual([
      'checks.yaml:3: unknown key "penalti"; did you mean "penalty"?',
    ]);
    expect(await problems("zebra: 1\n")).toEqual([
      'checks.yaml:1: unknown key "zebra"; known are scoring, verify, connections, line_formats',
    ]);
  });

  it("with wrong values names all of them with their lines", async () => {
    expect(await problems("scoring:\n  penalty: 2\n  names: maybe\n  scorers: [text, magic]\n")).toEqual([
      expect.stringMatching(/^checks\.yaml:2: scoring\.penalty: /),
      expect.stringMatching(/^checks\.yaml:3: scoring\.names: .*"accept"\|"strict"/),
      expect.stringMatching(/^checks\.yaml:4: scoring\.scorers\.1: .*"kdd-columns"/),
    ]);
  });

  it("that is no YAML says so with the line", async () => {
    expect(await problems("scoring:\n  penalty: [1\n")).toEqual([expect.stringMatching(/^checks\.yaml:\d+: /)]);
    expect(await problems("scoring: {}\nscoring: {}\n")).toEqual([expect.stringMatching(/^checks\.yaml:2: .*unique/)]);
  });

  it("that is no file says so", async () => {
    const folder = folderWith();
    mkdirSync(path.join(folder, "checks.yaml"));
    expect(await usageLines(() => loadGold({ folder, task_id: "task_1" }))).toEqual([
      expect.stringContaining("checks.yaml: is a folder, not a file"),
    ]);
  });
});
