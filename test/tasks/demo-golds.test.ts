import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadSuite } from "../../src/config/load-suite.js";

const demo = fileURLToPath(new URL("../../tasks/demo", import.meta.url));

/** Every file below `folder`, as paths relative to the demo with `/`, sorted. */
function filesBelow(folder: string): string[] {
  return readdirSync(path.join(demo, folder), { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")))
    .filter((file) => statSync(path.join(demo, file)).isFile())
    .sort();
}

const text = (file: string) => readFileSync(path.join(demo, file), "utf8");
const isData = (file: string) => /^raw\/|\/context\/(csv|json|db)\//.test(file);

const taskFile = z.strictObject({
  task_id: z.string(),
  question: z.string().min(20),
  difficulty: z.enum(["easy", "medium", "hard", "extreme"]),
  tags: z.array(z.string()).min(2),
});
const table = z.array(z.array(z.string())).min(2);

const folders = readdirSync(path.join(demo, "input")).sort();
const tasks = folders.map((folder) => ({
  ...taskFile.parse(JSON.parse(text(`input/${folder}/task.json`))),
  folder,
  gold: table.parse(parse(text(`output/${folder}/gold.csv`))),
}));
const tagged = (tag: string) => tasks.filter((task) => task.tags.includes(tag));
/** The cells of a gold without its header. */
const cells = (task: (typeof tasks)[number]) => task.gold.slice(1).flat();

describe("the golds of the demo suite", () => {
  let copy = "";
  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), "demo-golds-"));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** Without site packages and environment (-S, -E): nothing but Python itself may be needed. */
  const check = (folder: string) =>
    spawnSync("python3", ["-S", "-E", path.join(folder, "make_demo.py"), "--check"], { encoding: "utf8" });

  it("come out again, byte for byte, from a Python script that needs neither the product nor a package", () => {
    const checked = check(demo);
    expect(checked.error).toBeUndefined();
    expect(checked.stderr).toBe("");
    expect(checked.status).toBe(0);
  });

  it.each([
    ["a gold", "output/task_01_snow_days/gold.csv", (file: string) => writeFileSync(file, "days\n1\n")],
    [
      "a byte of a CSV",
      "input/task_07_deposits_in_march/context/csv/定金台账.csv",
      (file: string) => appendFileSync(file, "\n"),
    ],
    [
      "a value of a SQLite file",
      "input/task_05_strike_costs/context/db/birdstrikes.db",
      (file: string) => new Database(file).prepare("UPDATE strikes SET total_cost = 1 WHERE strike_id = 7").run(),
    ],
    ["a missing file", "input/task_08_alaska_landings/context/json/airports.json", (file: string) => rmSync(file)],
    ["a file too many", "output/task_01_snow_days/checks.csv", (file: string) => writeFileSync(file, "")],
  ])("are not confirmed after a change: %s", (_what, file, change) => {
    const folder = path.join(copy, path.basename(path.dirname(file)) + path.basename(file));
    cpSync(demo, folder, { recursive: true });
    change(path.join(folder, file));
    const checked = check(folder);
    expect(checked.stderr).toContain(`${file}: `);
    expect(checked.status).toBe(1);
  });

  it("are not confirmed while a tempting wrong answer equals one of them", () => {
    const folder = path.join(copy, "harmless-trap");
    cpSync(demo, folder, { recursive: true });
    const recipe = path.join(folder, "recipe/golds.py");
    writeFileSync(recipe, readFileSync(recipe, "utf8").replace('"every year": [(len(snow),)]', '"every year": [(0,)]'));
    const checked = check(folder);
    expect(checked.stderr).toContain("task_01_snow_days: the tempting answer 'every year' equals the gold");
    expect(checked.status).toBe(1);
  });

  it("do not depend on the bytes of a SQLite file, which differ from version to version", () => {
    const folder = path.join(copy, "vacuumed");
    cpSync(demo, folder, { recursive: true });
    const database = new Database(path.join(folder, "input/task_04_hottest_day/context/db/weather.db"));
    database.pragma("page_size = 1024");
    database.exec("VACUUM");
    database.close();
    expect(check(folder).status).toBe(0);
  });
});

describe("the demo suite", () => {
  it("has thirteen tasks of all four difficulties, each with its gold", () => {
    expect(tasks).toHaveLength(13);
    expect(new Set(tasks.map((task) => task.difficulty)).size).toBe(4);
    expect(tasks.map((task) => task.task_id)).toEqual(folders);
    expect(readdirSync(path.join(demo, "output")).sort()).toEqual(folders);
  });

  it.each([".", "input"])("loads as a suite of its own name from its folder %s", async (folder) => {
    const suite = await loadSuite(path.join(demo, folder));
    expect(suite.name).toBe("demo");
    expect(suite.tasks.map((task) => task.task_id)).toEqual(folders);
  });

  it("asks three questions in Chinese, with knowledge.md in Chinese", () => {
    const chinese = tasks.filter((task) => /\p{Script=Han}/u.test(task.question));
    expect(chinese).toEqual(tagged("zh"));
    expect(chinese).toHaveLength(3);
    for (const task of chinese) expect(text(`input/${task.folder}/context/knowledge.md`)).toMatch(/口径|约定/);
  });

  it("has every format that a context may have", () => {
    const files = filesBelow("input");
    const json = files.filter((file) => file.includes("/context/json/")).map((file): unknown => JSON.parse(text(file)));
    const wrapped = z.object({ table: z.string(), records: z.array(z.object({})) });
    expect(files.some((file) => file.endsWith(".csv") && text(file).includes("\r\n"))).toBe(true);
    expect(files.some((file) => file.endsWith(".csv") && !text(file).includes("\r"))).toBe(true);
    expect(json.some((value) => Array.isArray(value))).toBe(true);
    expect(json.some((value) => wrapped.safeParse(value).success)).toBe(true);
    expect(files.some((file) => file.endsWith(".db") && text(file).startsWith("SQLite format 3\0"))).toBe(true);
    expect(files.filter((file) => /\/context\/doc\/.+\.md$/.test(file)).length).toBeGreaterThan(0);
    for (const folder of folders) expect(files).toContain(`input/${folder}/context/knowledge.md`);
  });

  it("has answers of every kind that its tags name", () => {
    expect(tagged("zero").map(cells)).toEqual([["0"]]);
    for (const task of tagged("date")) expect(cells(task)).toContainEqual(expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/));
    for (const task of tagged("percentage"))
      expect(cells(task)).toContainEqual(expect.stringMatching(/^\d{1,2}\.\d{2}$/));
    for (const task of tagged("multi-column")) expect(task.gold[0]?.length).toBeGreaterThan(1);
    for (const task of tagged("multi-row")) expect(task.gold.length).toBeGreaterThan(2);
    expect(tagged("null").filter((task) => cells(task).includes("")).length).toBeGreaterThan(0);
    const tied = tagged("tie").map((task) => new Set(task.gold.slice(1).map((row) => row.at(-1))).size);
    expect(tied).toEqual([1]);
    for (const tag of ["date", "percentage", "multi-column", "multi-row", "doc"]) expect(tagged(tag)).not.toEqual([]);
  });

  it("has a rule that stands behind the first 4,000 characters of a knowledge.md", () => {
    const knowledge = text("input/task_05_strike_costs/context/knowledge.md");
    expect(knowledge.indexOf("`total_cost`")).toBeGreaterThan(4000);
  });

  it("names source and licence of every data file in ATTRIBUTION.md", () => {
    const rows = text("ATTRIBUTION.md")
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));
    const licences = new Map(rows.filter((row) => row.length === 6).map((row) => [row[1], row[3]]));
    const sources = new Map(rows.filter((row) => row.length === 5).map((row) => [row[1], row[2]]));
    const files = [...filesBelow("raw"), ...filesBelow("input")].filter(isData);
    for (const file of files) {
      expect(licences.get(sources.get(file)), file).toMatch(/public domain|CC0 1\.0|MIT/);
    }
    expect([...sources.keys()].filter((file) => file?.includes("/") && !files.includes(file))).toEqual([]);
  });

  it("gives no hint of a gold to the agent", () => {
    const inputs = filesBelow("input");
    expect(inputs.filter((file) => /gold|answer|solution|checks|expected|prediction/i.test(file))).toEqual([]);
    for (const task of tasks) {
      const prose = inputs
        .filter((file) => file.startsWith(`input/${task.folder}/`) && !isData(file))
        .map(text)
        .join("\n");
      const telling = cells(task).filter((cell) => /^\d{4}-\d{2}-\d{2}$|^\d{3,}$|^\d+\.\d+$/.test(cell));
      expect(
        telling.filter((cell) => prose.includes(cell)),
        task.folder,
      ).toEqual([]);
    }
  });

  it("stays below two megabytes", () => {
    const bytes = ["input", "output", "raw"].flatMap(filesBelow).map((file) => statSync(path.join(demo, file)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_000_000);
  });
});
