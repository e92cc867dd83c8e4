import path from "node:path";
import { describe, expect, it } from "vitest";
import { readChecks } from "../../src/score/checks.js";
import { folderWith } from "../support/folder.js";
import { usageLines } from "../support/usage-lines.js";

const read = (yaml: string, files: Readonly<Record<string, string>> = {}) =>
  readChecks(path.join(folderWith({ "checks.yaml": yaml, ...files }), "checks.yaml"));

async function problems(yaml: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return (await usageLines(() => read(yaml, files))).map((line) => line.replace(/^.*\/checks\.yaml:/, ""));
}

const CHECK = "  - name: teams\n    domain_sql: SELECT team FROM t\n    anchors: [最好]\n";

describe("claim checks in a checks.yaml", () => {
  it("have defaults for all that a check need not say", async () => {
    expect((await read(`verify:\n${CHECK}`)).verify).toEqual([
      {
        name: "teams",
        domain_sql: "SELECT team FROM t",
        anchors: ["最好"],
        extract: "suffix",
        entity_suffixes: [],
        generic_terms: [],
        zero_use_terms: [],
        column: null,
        gate: false,
        labels: null,
      },
    ]);
  });

  it("are of the conclusion by anchors, or of a column instead", async () => {
    expect(await problems("verify:\n  - name: a\n    domain_sql: SELECT 1\n")).toEqual([
      expect.stringMatching(/^2: verify\.0\.anchors: give anchors, .* or the column/),
    ]);
    const column = (await read("verify:\n  - {name: a, domain_sql: SELECT 1, column: team}\n")).verify[0]?.column;
    expect(column).toBe("team");
    expect((await read(`verify:\n${CHECK}    column: team\n`)).verify[0]?.column).toBe("team");
  });

  it("with an unknown key, a wrong value or the same name twice say where", async () => {
    expect(await problems(`verify:\n${CHECK}    anchor: [x]\n`)).toEqual([
      '5: unknown key "anchor"; did you mean "anchors"?',
    ]);
    expect(await problems(`verify:\n${CHECK}    extract: sufix\n`)).toEqual([
      "5: verify.0.extract: one of suffix, quoted, domain",
    ]);
    expect(await problems(`verify:\n${CHECK}${CHECK}`)).toEqual([
      '5: verify.1.name: "teams" is already the name of another',
    ]);
  });
});

describe("connections in a checks.yaml", () => {
  it("have paths relative to the file, and keep the order in which they are written", async () => {
    const yaml =
      "connections:\n  zeta: {type: sqlite, path: ledger.db}\n  alpha: {type: duckdb, path: /data/x.duckdb}\n  live: {type: postgres, url_env: LIVE_URL}\n";
    const folder = folderWith({ "checks.yaml": yaml });
    expect([...(await readChecks(path.join(folder, "checks.yaml"))).connections]).toEqual([
      ["zeta", { type: "sqlite", path: path.join(folder, "ledger.db") }],
      ["alpha", { type: "duckdb", path: "/data/x.duckdb" }],
      ["live", { type: "postgres", url_env: "LIVE_URL" }],
    ]);
  });

  it("never hold a URL, which has a password, but name the variable that does", async () => {
    const url = "connections:\n  live:\n    type: postgres\n    url: postgres://me:secret@host/db\n";
    const said = await problems(url);
    expect(said).toEqual([
      expect.stringContaining("2: connections.live.url_env: the name of an environment variable"),
      expect.stringMatching(/^4: unknown key "url"; .*url_env/),
    ]);
    expect(said.join()).not.toContain("secret");
    expect(await problems("connections:\n  live: {type: postgres, url_env: 'postgres://a:b@c/d'}\n")).toHaveLength(1);
  });

  it("are of a type that there is, and not called like the task's own data", async () => {
    expect(await problems("connections:\n  a: {type: mysql, path: x}\n")).toEqual([
      expect.stringMatching(/^2: connections\.a.*: a connection of type sqlite, duckdb or postgres/),
    ]);
    expect(await problems("connections:\n  context: {type: sqlite, path: x}\n")).toEqual([
      expect.stringMatching(/^2: connections\.context: "context" is the task's own data/),
    ]);
  });
});

describe("line formats in a checks.yaml", () => {
  it("are patterns with a place", async () => {
    const yaml =
      "line_formats:\n  - { name: sources, pattern: '^来源：\\s*\\S+(?:[、,]\\s*\\S+)*$', where: last-lines, required: true }\n  - { name: basis, pattern: '^口径：.+$' }\n";
    expect((await read(yaml)).line_formats).toEqual([
      { name: "sources", pattern: /^来源：\s*\S+(?:[、,]\s*\S+)*$/u, where: "last-lines", required: true },
      { name: "basis", pattern: /^口径：.+$/u, where: "any-line", required: false },
    ]);
  });

  it("must be regular expressions", async () => {
    expect(await problems("line_formats:\n  - {name: a, pattern: '(', where: any-line}\n")).toEqual([
      "2: line_formats.0.pattern: a regular expression of JavaScript with the flag u",
    ]);
  });
});

describe("a claim check that is to be a gate", () => {
  const gate = `verify:\n${CHECK}    gate: true\n    labels: labels.jsonl\n`;
  const labels = (real: number, wrong: number) =>
    [...Array(real + wrong).keys()]
      .map((index) => JSON.stringify({ check: "teams", entity: `e${index}`, real: index < real }))
      .join("\n");

  it("needs a file of labels", async () => {
    expect(await problems(`verify:\n${CHECK}    gate: true\n`)).toEqual([
      "5: verify.0.gate: a gate needs labels: the file with the labelled reds that show its precision",
    ]);
  });

  it("is refused with the numbers while its labels are too few or too often wrong", async () => {
    expect(await problems(gate)).toEqual([
      '5: "teams" cannot be a gate yet: it has 0 labels of at least 12, precision unknown of at least 0.95',
    ]);
    expect(await problems(gate, { "labels.jsonl": labels(11, 0) })).toEqual([
      '5: "teams" cannot be a gate yet: it has 11 labels of at least 12, precision 1.000 (11 of 11 reds real) of at least 0.95',
    ]);
    expect(await problems(gate, { "labels.jsonl": labels(18, 1) })).toEqual([
      '5: "teams" cannot be a gate yet: it has 19 labels of at least 12, precision 0.947 (18 of 19 reds real) of at least 0.95',
    ]);
  });

  it("is one with 12 labels and a precision of .95, or what the check says instead", async () => {
    expect((await read(gate, { "labels.jsonl": labels(12, 0) })).verify[0]?.gate).toBe(true);
    expect((await read(gate, { "labels.jsonl": labels(19, 1) })).verify[0]?.gate).toBe(true);
    const lax = `${gate}    min_labels: 2\n    min_precision: 0.5\n`;
    expect((await read(lax, { "labels.jsonl": labels(1, 1) })).verify[0]?.gate).toBe(true);
  });

  it("counts the last label of an entity, of reds of this check only", async () => {
    const twice = JSON.stringify({ check: "teams", entity: "e0", real: true });
    const other = JSON.stringify({ check: "other", entity: "x", real: false });
    const missed = JSON.stringify({ check: "teams", entity: "missed", real: true, found: false });
    expect(await problems(gate, { "labels.jsonl": `${labels(0, 1)}\n${twice}\n${other}\n${missed}\n` })).toEqual([
      expect.stringContaining("it has 1 labels of at least 12, precision 1.000 (1 of 1 reds real)"),
    ]);
  });

  it("says which line of the labels is none", async () => {
    expect(await usageLines(() => read(gate, { "labels.jsonl": '{"check":"teams"}\n' }))).toEqual([
      expect.stringMatching(/labels\.jsonl:1: is no label: entity: /),
    ]);
    expect(await usageLines(() => read(gate, { "labels.jsonl": "\nyes\n" }))).toEqual([
      expect.stringMatching(/labels\.jsonl:2: is no label: it is not JSON/),
    ]);
  });
});
