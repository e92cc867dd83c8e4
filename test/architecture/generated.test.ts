import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { GENERATED } from "../../docs/generate/generated.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("what is generated from the code", () => {
  it.each(GENERATED)("$file is what the code says: if not, npm run docs", ({ file, text }) => {
    expect(readFileSync(`${root}${file}`, "utf8")).toBe(text(root));
  });

  it("tells of every key of a profile what it does", () => {
    const rows = readFileSync(`${root}docs/profile.md`, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((row) => row.endsWith("|  |"))).toEqual([]);
  });

  it("tells of every event and record, and of every type in them", () => {
    const reference = readFileSync(`${root}docs/run-log.md`, "utf8");
    for (const tag of ["run-start", "trial-end", "score", "model-responded", "tool-returned", "trial-finished"])
      expect(reference).toContain(`\n### ${tag}\n`);
    expect(reference.split("\n### ").filter((section) => section.includes("\n``\n"))).toEqual([]);
  });
});
