import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonErrorAt } from "../../src/config/json-error.js";
import { loadSuite } from "../../src/config/load-suite.js";
import { folderWith } from "../support/folder.js";
import { sharedDir } from "../support/shared.js";
import { usageLines } from "../support/usage-lines.js";

const task = (task_id: unknown, more: object = {}) => JSON.stringify({ task_id, question: "How many?", ...more });

/** A task folder's files. */
const taskFiles = (folder: string, json: string | Uint8Array) => ({
  [`${folder}/task.json`]: json,
  [`${folder}/context/a.csv`]: "a\n1\n",
});

/** The error lines of a suite with these files, with the folder cut off. */
async function linesOf(files: Record<string, string | Uint8Array>): Promise<readonly string[]> {
  const folder = folderWith(files);
  const lines = await usageLines(() => loadSuite(folder));
  return lines.map((line) => line.replaceAll(`${folder}/`, ""));
}

describe("a suite", () => {
  const official = {
    ...taskFiles("kdd/input/task_2", task("task_2")),
    ...taskFiles("kdd/input/task_10", task("task_10")),
  };

  it.each([
    ["the official root", "kdd"],
    ["its input folder", "kdd/input"],
  ])("is read from %s, in natural order, named after the root", async (_what, given) => {
    const root = folderWith(official);
    const suite = await loadSuite(path.join(root, given));
    expect(suite).toMatchObject({ name: "kdd", path: path.join(root, given) });
    expect(suite.tasks.map(({ task_id }) => task_id)).toEqual(["task_2", "task_10"]);
    expect(suite.tasks[0]?.context_dir).toBe(path.join(root, "kdd/input/task_2/context"));
  });

  it("is read from a folder of task folders whatever they are called, other folders passed over", async () => {
    const root = folderWith({
      ...taskFiles("赛题/问题一", task("q1")),
      ...taskFiles("赛题/second one", task("q2")),
      "赛题/notes/readme.md": "",
      "赛题/.DS_Store": "",
      "赛题/task_list.txt": "",
    });
    const suite = await loadSuite(path.join(root, "赛题"));
    expect(suite.tasks.map(({ task_id }) => task_id)).toEqual(["q1", "q2"]);
    expect(suite.name).toBe("赛题");
  });

  it("is read from a single task folder, also one that is called input", async () => {
    const root = folderWith({ ...taskFiles("task_1", task("task_1")), ...taskFiles("hand/input", task("task_5")) });
    expect((await loadSuite(path.join(root, "task_1"))).tasks).toHaveLength(1);
    expect((await loadSuite(path.join(root, "hand"))).tasks.map(({ task_id }) => task_id)).toEqual(["task_5"]);
  });

  it("keeps tags, difficulty, a BOM's text, and the keys that it does not know", async () => {
    const json = `\uFEFF${task("task_1", { difficulty: "hard", tags: ["a", "b"], source: { year: 2026 } })}`;
    const [read] = (await loadSuite(folderWith(taskFiles("task_1", json)))).tasks;
    expect(read).toMatchObject({ difficulty: "hard", tags: ["a", "b"], extra: { source: { year: 2026 } } });
    expect(Object.keys(read?.extra ?? {})).toEqual(["source"]);
  });

  it("has tasks of unknown difficulty, which phase 2 leaves out, and ids that differ from their folders", async () => {
    const suite = await loadSuite(folderWith(taskFiles("task_1", task("other", { difficulty: null }))));
    expect(suite.tasks).toMatchObject([{ task_id: "other", difficulty: "unknown", tags: [], extra: {} }]);
  });

  it.runIf(sharedDir !== null).each([
    ["kdd-demo", 9],
    ["dabench", 24],
  ])("is read from the shared %s set", async (name, count) => {
    const suite = await loadSuite(path.join(sharedDir ?? "", "data", name, "input"));
    expect(suite).toMatchObject({ name });
    expect(suite.tasks).toHaveLength(count);
  });
});

describe("a suite that cannot be used", () => {
  it("is one line each for a folder that is missing, empty, or a file", async () => {
    const root = folderWith({ "empty/readme.md": "", file: "" });
    const given = (name: string) => path.join(root, name);
    expect(await usageLines(() => loadSuite(given("gone")))).toEqual([`${given("gone")}: no such folder`]);
    expect(await usageLines(() => loadSuite(given("file")))).toEqual([`${given("file")}: is a file, not a folder`]);
    expect(await usageLines(() => loadSuite(given("empty")))).toEqual([
      expect.stringMatching(/empty: no tasks here: /),
    ]);
  });

  it.each([
    ["[1]", "task_1/task.json: is no task: it must be one JSON object"],
    [JSON.stringify({ question: "q" }), "task_1/task.json: task_id is missing"],
    [JSON.stringify({ task_id: "a" }), "task_1/task.json: question is missing"],
    [task("a", { question: " \n" }), "task_1/task.json: question is empty"],
    [task("a", { question: ["q"] }), "task_1/task.json: question must be text"],
    [task(1), "task_1/task.json: task_id must be text"],
    [task("../a"), /^task_1\/task.json: task_id must be a name that a folder can have/],
    [task("a b"), /^task_1\/task.json: task_id must be a name/],
    [
      task("a", { difficulty: "hadr" }),
      'task_1/task.json: difficulty must be one of easy, medium, hard, extreme, unknown, not "hadr"; did you mean "hard"?',
    ],
    [task("a", { tags: "x" }), "task_1/task.json: tags must be a list of text"],
    [task("a", { tags: [1] }), "task_1/task.json: every tag must be text"],
    ['{\n  "task_id": "a",\n  "question": "q",\n}', "task_1/task.json:4:1: is not JSON from here on"],
    ["", "task_1/task.json:1:1: is not JSON from here on"],
    [new Uint8Array([0x7b, 0xff, 0xfe]), "task_1/task.json: is not UTF-8 text"],
  ])("names the file: %s", async (json, expected) => {
    const [line, ...others] = await linesOf(taskFiles("task_1", json));
    expect(others).toEqual([]);
    if (expected instanceof RegExp) expect(line).toMatch(expected);
    else expect(line).toBe(expected);
  });

  it("shows all errors of all tasks at once", async () => {
    const folder = folderWith({
      ...taskFiles("task_1", "{"),
      "task_2/task.json": JSON.stringify({ question: "", difficulty: "x" }),
      ...taskFiles("task_3", task("twin")),
      ...taskFiles("task_4", task("twin")),
      ...taskFiles("task_5", task("Twin")),
      "task_6/readme.md": "",
      "task_7/task.json": task("task_7"),
      "task_7/context": "a file",
      ...taskFiles("fine", task("fine")),
    });
    mkdirSync(path.join(folder, "task_8/task.json"), { recursive: true });
    mkdirSync(path.join(folder, "linked/context"), { recursive: true });
    symlinkSync("nowhere", path.join(folder, "linked/task.json"));
    const lines = await usageLines(() => loadSuite(folder));
    expect(lines.map((line) => line.replaceAll(`${folder}/`, ""))).toEqual([
      "linked/task.json: no such file",
      "task_1/task.json:1:2: is not JSON from here on",
      "task_2/task.json: task_id is missing",
      "task_2/task.json: question is empty",
      expect.stringContaining("task_2/task.json: difficulty must be one of"),
      "task_2/context: no such folder (a task's data is in context/)",
      "task_6/task.json: no such file",
      "task_6/context: no such folder (a task's data is in context/)",
      "task_7/context: is a file, not a folder",
      "task_8/task.json: is a folder, not a file",
      "task_8/context: no such folder (a task's data is in context/)",
      'task_4/task.json: task_id "twin" is already that of task_3/task.json',
      'task_5/task.json: task_id "Twin", which differs from "twin" only in case or composition, is already that of task_3/task.json',
    ]);
  });
});

describe("the place of a JSON error", () => {
  it.each([
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ["{\n", 2, 1],
    ['{"a": "x', 1, 7],
    ["abc", 1, 1],
    ['{"a": tru}', 1, 7],
    ["[1 2]", 1, 4],
    ['{"a":1}\n\nx', 3, 1],
    ['{"a":"b\nc"}', 1, 6],
    ['{"a":01}', 1, 6],
    ["[1,\n\n]", 3, 1],
    ["[}", 1, 2],
  ])("of %j is line %i, column %i", (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonErrorAt(text)).toEqual({ line, column });
  });

  it("is the end of the text where valid JSON is cut, however deep", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const object = `{"key":${text}`;
        expect(jsonErrorAt(object)).toEqual({ line: 1, column: object.length + 1 });
      }),
    );
    expect(jsonErrorAt("[".repeat(100_000))).toEqual({ line: 1, column: 100_001 });
  });
});
