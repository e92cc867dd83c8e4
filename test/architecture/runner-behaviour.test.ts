import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8");

describe("docs/runner-behaviour.md", () => {
  const rows = read("docs/runner-behaviour.md")
    .split("\n")
    .flatMap((line) => /^\| +(\d+) +\|/.exec(line)?.[1] ?? []);
  const shown = [...read("docs/runner-behaviour.md").matchAll(/`([\w/-]+\.test\.ts)`: ([^;|]+?)(?=;|\s+\|)/g)];

  it("has a line for each of the 28 situations", () => {
    expect(rows.map(Number)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  });

  it.each(shown.map(([, file = "", name = ""]) => [file, name]))("names a test that is there: %s, %s", (file, name) => {
    expect(read(`test/${file}`)).toContain(name);
  });

  it("names a test for each", () => {
    expect(shown.length).toBeGreaterThanOrEqual(28);
  });
});
