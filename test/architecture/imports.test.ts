import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** DESIGN: who may import whom. `"*"` is everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  stats: [],
  config: ["core"],
  context: ["core"],
  models: ["core"],
  answer: ["core"],
  agent: ["core"],
  tools: ["core", "context"],
  validate: ["core", "stats", "answer"],
  score: ["core", "context", "answer"],
  run: ["core", "config", "context", "tools", "models", "agent", "validate", "answer", "score"],
  report: ["core", "stats"],
  serve: ["core", "config", "models", "validate"],
  cli: ["*"],
  // The public surface.
  "library.ts": ["*"],
};
const LINES_WALL = 400;

const source = fileURLToPath(new URL("../../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => file.endsWith(".ts"));

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(source, file), "utf8");
  const pattern =
    /(?:^|\n)\s*(?:import|export)[^"';]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

const folderOf = (file: string) => file.split("/")[0] ?? "";

describe("the architecture", () => {
  it("has source files to look at", () => {
    expect(files.length).toBeGreaterThan(10);
  });

  it.each(files)("%s imports only what its folder may", (file) => {
    const allowed = MAY_IMPORT[folderOf(file)];
    expect(allowed, `the folder of ${file} is not in the table`).toBeDefined();
    const forbidden = importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)))
      .filter((target) => folderOf(target) !== folderOf(file))
      .filter((target) => !allowed?.includes("*") && !allowed?.includes(folderOf(target)));
    expect(forbidden).toEqual([]);
  });

  it.each(files)("%s stays below the wall of lines", (file) => {
    expect(readFileSync(path.join(source, file), "utf8").split("\n").length).toBeLessThanOrEqual(LINES_WALL + 1);
  });

  it.each(files.filter((file) => folderOf(file) !== "cli"))("%s reads no process state", (file) => {
    const text = readFileSync(path.join(source, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const found = text.match(/\bprocess\.(env|argv|stdout|stderr|exit|cwd)\b|\bconsole\./g) ?? [];
    const entryOfAChild = /-child\.ts$/.test(file);
    expect(entryOfAChild ? [] : found).toEqual([]);
  });

  it("keeps the deciders free of input and output", () => {
    const found = files
      .filter((file) => ["agent", "validate"].includes(folderOf(file)))
      .flatMap((file) => importsOf(file).map((specifier) => `${file}: ${specifier}`))
      .filter((line) => /: node:(fs|child_process|http|https|net|worker_threads)/.test(line));
    expect(found).toEqual([]);
  });
});
