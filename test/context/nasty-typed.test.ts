import { describe, expect, it } from "vitest";
import { type Columns, codesOf, compiledFrom, type Files, tablesOf } from "./compiled.js";
import { parquetFile, pdfFile, sqliteFile, workbookFile } from "./made-files.js";

interface Case {
  /** What is nasty about it. */
  readonly what: string;
  readonly files: () => Files | Promise<Files>;
  readonly tables: Readonly<Record<string, Columns>>;
  /** Codes of all uncertainties. */
  readonly uncertain: readonly string[];
}

const json: readonly Case[] = [
  {
    what: "a table name and records",
    files: () => ({ "x.json": '{"table": "heroes", "records": [{"id": 1, "name": "A"}, {"id": 2, "name": null}]}' }),
    tables: { heroes: { "id BIGINT": ["1", "2"], "name VARCHAR": ["A", null] } },
    uncertain: [],
  },
  {
    what: "a table name and no records",
    files: () => ({ "x.json": '{"table": "heroes", "records": []}' }),
    tables: {},
    uncertain: ["empty-table"],
  },
  {
    what: "an array of records with keys that come late",
    files: () => ({ "x.json": `[${'{"a":1},'.repeat(30_000)}{"a":2,"late":"y"}]` }),
    tables: {
      x: { "a BIGINT": [...Array(30_000).fill("1"), "2"], "late VARCHAR": [...Array(30_000).fill(null), "y"] },
    },
    uncertain: [],
  },
  {
    what: "one record a line, with blank lines and CRLF",
    files: () => ({ "x.jsonl": '{"a":1}\r\n\r\n{"a":2,"b":true}\r\n' }),
    tables: { x: { "a BIGINT": ["1", "2"], "b BOOLEAN": [null, "true"] } },
    uncertain: [],
  },
  {
    what: "records one after the other in a .json file",
    files: () => ({ "x.json": '{\n "a": 1\n}\n{\n "a": 2\n}\n', "y.json": '{"b":1}\n{"b":2}\n' }),
    tables: { x: { "a BIGINT": ["1", "2"] }, y: { "b BIGINT": ["1", "2"] } },
    uncertain: [],
  },
  {
    what: "a broken line among lines",
    files: () => ({ "x.ndjson": '{"a":1}\n{"a":2,\n{"a":3}\n' }),
    tables: { x: { "a BIGINT": ["1", "3"] } },
    uncertain: ["broken-records"],
  },
  {
    what: "an end in the middle of a record",
    files: () => ({ "x.json": '[{"a":1},{"a":2},{"a":' }),
    tables: { x: { "a BIGINT": ["1", "2"] } },
    uncertain: ["broken-json"],
  },
  {
    what: "more after its end",
    files: () => ({ "x.json": '{"records":[{"a":1}]} trailing' }),
    tables: { x: { "a BIGINT": ["1"] } },
    uncertain: ["broken-json"],
  },
  { what: "no JSON in it", files: () => ({ "x.json": "hello" }), tables: {}, uncertain: ["broken-records"] },
  {
    what: "whole numbers of more than 18 digits",
    files: () => ({ "x.json": '[{"a":9007199254740993,"b":12345678901234567890},{"a":9223372036854775807,"b":1}]' }),
    tables: {
      x: { "a BIGINT": ["9007199254740993", "9223372036854775807"], "b VARCHAR": ["12345678901234567890", "1"] },
    },
    uncertain: ["long-integers"],
  },
  {
    what: "1.5 after whole numbers, exponents and a number too large",
    files: () => ({ "x.json": '[{"a":1,"b":1e3,"c":1e999},{"a":1.5,"b":-2E-2,"c":1}]' }),
    tables: {
      x: { "a DOUBLE": ["1.0", "1.5"], "b DOUBLE": ["1000.0", "-0.02"], "c VARCHAR": ["1e999", "1"] },
    },
    uncertain: ["mixed-types"],
  },
  {
    what: "numbers that are texts",
    files: () => ({ "x.json": '[{"a":"007","b":"1"},{"a":"8","b":"2"}]' }),
    tables: { x: { "a VARCHAR": ["007", "8"], "b VARCHAR": ["1", "2"] } },
    uncertain: [],
  },
  {
    what: "a key with values of several types",
    files: () => ({ "x.json": '[{"a":1},{"a":"x"},{"a":true},{"a":null}]' }),
    tables: { x: { "a VARCHAR": ["1", "x", "true", null] } },
    uncertain: ["mixed-types"],
  },
  {
    what: "empty texts",
    files: () => ({ "x.json": '[{"a":"","n":1},{"a":"x","n":""}]' }),
    tables: { x: { "a VARCHAR": ["", "x"], "n BIGINT": ["1", null] } },
    uncertain: ["missing-marker"],
  },
  {
    what: "dates in texts",
    files: () => ({ "x.json": '[{"d":"2020-01-31","t":"2020-01-31T10:00:00"}]' }),
    tables: { x: { "d DATE": ["2020-01-31"], "t TIMESTAMP": ["2020-01-31 10:00:00"] } },
    uncertain: [],
  },
  {
    what: "nested values",
    files: () => ({ "x.json": '[{"a":{"b":[1, 2.50,  "x  y"]},"c":[]},{"a":null,"c":["z"]}]' }),
    tables: { x: { "a JSON": ['{"b":[1,2.50,"x  y"]}', null], "c JSON": ["[]", '["z"]'] } },
    uncertain: [],
  },
  {
    what: "nested and plain values under one key",
    files: () => ({ "x.json": '[{"a":{"b":1}},{"a":"x\\"y"},{"a":3}]' }),
    tables: { x: { "a JSON": ['{"b":1}', '"x\\"y"', "3"] } },
    uncertain: ["mixed-types"],
  },
  {
    what: "escapes, emoji and line ends in texts",
    files: () => ({ "x.json": '[{"a":"\\u00e9\\n\\"\\ud83d\\ude00\\\\"},{"a":"raw\ttab"}]' }),
    tables: { x: { "a VARCHAR": ['é\n"😀\\', "raw\ttab"] } },
    uncertain: [],
  },
  {
    what: "half a surrogate pair",
    files: () => ({ "x.json": '[{"a":"x\\ud83d"}]' }),
    tables: { x: { "a VARCHAR": ["x\ufffd"] } },
    uncertain: ["invalid-characters"],
  },
  {
    what: "keys twice, and keys that differ in case",
    files: () => ({ "x.json": '[{"a":1,"a":2,"B":3,"b":4}]' }),
    tables: { x: { "a BIGINT": ["2"], "B BIGINT": ["3"], "b_2 BIGINT": ["4"] } },
    uncertain: ["duplicate-header", "repeated-keys"],
  },
  {
    what: "NaN and Infinity as Python writes them",
    files: () => ({ "x.json": '[{"a":1.5,"b":1},{"a":NaN,"b":-Infinity}]' }),
    tables: { x: { "a DOUBLE": ["1.5", null], "b DOUBLE": ["1.0", "-inf"] } },
    uncertain: ["missing-marker"],
  },
  {
    what: "a record of more than 16 MB",
    files: () => ({ "x.json": `[{"a":"${"x".repeat(17_000_000)}"},{"a":"y"}]` }),
    tables: { x: { "a VARCHAR": ["x".repeat(17_000_000), "y"] } },
    uncertain: [],
  },
  {
    what: "records by key",
    files: () => ({ "x.json": '{"k1":{"v":1},"k2":{"v":2,"w":"z"}}' }),
    tables: { x: { "key VARCHAR": ["k1", "k2"], "v BIGINT": ["1", "2"], "w VARCHAR": [null, "z"] } },
    uncertain: [],
  },
  {
    what: "columns instead of records",
    files: () => ({ "x.json": '{"id":[1,2],"name":["x",null]}' }),
    tables: { x: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", null] } },
    uncertain: [],
  },
  {
    what: "several arrays of records and single values",
    files: () => ({ "x.json": '{"version":2,"a":[{"id":1}],"b":[{"n":"y"}],"meta":{"k":[1]}}' }),
    tables: {
      x_a: { "id BIGINT": ["1"] },
      x_b: { "n VARCHAR": ["y"] },
      x_attributes: { "version BIGINT": ["2"], "meta JSON": ['{"k":[1]}'] },
    },
    uncertain: [],
  },
  {
    what: "one record",
    files: () => ({ "x.json": '{"name":"x","size":{"w":1}}' }),
    tables: { x: { "name VARCHAR": ["x"], "size JSON": ['{"w":1}'] } },
    uncertain: [],
  },
  {
    what: "arrays and single values as records",
    files: () => ({ "x.json": '[[1,"a"],[2]]', "y.json": "[3,4]" }),
    tables: {
      x: { "column_1 BIGINT": ["1", "2"], "column_2 VARCHAR": ["a", null] },
      y: { "value BIGINT": ["3", "4"] },
    },
    uncertain: ["empty-header"],
  },
  {
    what: "records of several forms",
    files: () => ({ "x.json": '[{"a":1},"loose"]' }),
    tables: { x: { "a BIGINT": ["1", null], "value VARCHAR": [null, "loose"] } },
    uncertain: ["mixed-records"],
  },
  {
    what: "an object used as a map of thousands",
    files: () => ({ "x.json": `[{${Array.from({ length: 1200 }, (_, i) => `"k${i}":${i}`).join(",")}}]` }),
    tables: { x: { "value JSON": [`{${Array.from({ length: 1200 }, (_, i) => `"k${i}":${i}`).join(",")}}`] } },
    uncertain: ["too-many-columns"],
  },
  {
    what: "a byte order mark, and UTF-16",
    files: () => ({ "x.json": '\ufeff[{"a":1}]', "y.json": Buffer.from('\ufeff[{"b":"é"}]', "utf16le") }),
    tables: { x: { "a BIGINT": ["1"] }, y: { "b VARCHAR": ["é"] } },
    uncertain: [],
  },
];

const sqlite: readonly Case[] = [
  {
    what: "values of other types than declared",
    files: () => ({
      "x.db": sqliteFile("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), ('two', 3), (4.5, NULL)"),
    }),
    tables: { t: { "a VARCHAR": ["1", "two", "4.5"], "b VARCHAR": ["x", "3", null] } },
    uncertain: ["mixed-types"],
  },
  {
    what: "64-bit numbers, whole REALs and infinities",
    files: () => ({
      "x.db": sqliteFile(
        "CREATE TABLE t (a, b REAL); INSERT INTO t VALUES (9223372036854775807, 1), (-9007199254740993, -9e999)",
      ),
    }),
    tables: { t: { "a BIGINT": ["9223372036854775807", "-9007199254740993"], "b DOUBLE": ["1.0", "-inf"] } },
    uncertain: [],
  },
  {
    what: "binary values",
    files: () => ({ "x.db": sqliteFile("CREATE TABLE t (a BLOB, n); INSERT INTO t VALUES (x'00ff', 1)") }),
    tables: { t: { "a VARCHAR": ["00ff"], "n BIGINT": ["1"] } },
    uncertain: ["blob"],
  },
  {
    what: "texts that are not UTF-8",
    files: () => ({
      "x.db": sqliteFile("CREATE TABLE t (a TEXT, n); INSERT INTO t VALUES (CAST(x'b1b1be' AS TEXT), 1)"),
    }),
    tables: { t: { "a VARCHAR": ["\ufffd\ufffd\ufffd"], "n BIGINT": ["1"] } },
    uncertain: ["invalid-bytes"],
  },
  {
    what: "empty tables",
    files: () => ({ "x.db": sqliteFile("CREATE TABLE t (a INTEGER, b TEXT, c REAL, d)") }),
    tables: { t: { "a BIGINT": [], "b VARCHAR": [], "c DOUBLE": [], "d VARCHAR": [] } },
    uncertain: [],
  },
  {
    what: "views, also on tables that are not there",
    files: () => ({
      "x.db": sqliteFile(
        `CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2);
         CREATE VIEW twice AS SELECT a * 2 AS b FROM t; CREATE VIEW lost AS SELECT * FROM gone`,
      ),
    }),
    tables: { t: { "a BIGINT": ["1", "2"] }, twice: { "b BIGINT": ["2", "4"] } },
    uncertain: ["unreadable"],
  },
  {
    what: "references to tables that are not there",
    files: () => ({
      "x.db": sqliteFile("CREATE TABLE t (a INTEGER REFERENCES gone(id)); INSERT INTO t VALUES (1)"),
    }),
    tables: { t: { "a BIGINT": ["1"] } },
    uncertain: ["missing-table"],
  },
  {
    what: "names that need quotes",
    files: () => ({
      "x.db": sqliteFile(
        `CREATE TABLE "a ""b"" 表" ("x y" TEXT, "select" INT); INSERT INTO "a ""b"" 表" VALUES ('v', 1)`,
      ),
    }),
    tables: { 'a "b" 表': { "x y VARCHAR": ["v"], "select BIGINT": ["1"] } },
    uncertain: [],
  },
  {
    what: "a damaged page",
    files: () => {
      const bytes = Buffer.from(
        sqliteFile("CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE TABLE u (b); INSERT INTO u VALUES (2)"),
      );
      bytes.fill(0xee, 4096, 8192);
      return { "x.db": bytes };
    },
    tables: { u: { "b BIGINT": ["2"] } },
    uncertain: ["unreadable"],
  },
  {
    what: "other content than its name says",
    files: () => ({ "x.db": "not a database", "y.sqlite": Buffer.alloc(5000, 7) }),
    tables: {},
    uncertain: ["unknown-format"],
  },
];

const parquet: readonly Case[] = [
  {
    what: "types of its own",
    files: async () => ({
      "x.parquet": await parquetFile(
        `SELECT 1::INTEGER AS i, 12345678901234567890::HUGEINT::DECIMAL(38, 2) AS d, 0.1::FLOAT AS f, TRUE AS b,
                DATE '2020-02-29' AS day, TIMESTAMPTZ '2020-01-01 00:00:00+02' AS at, '007' AS s`,
      ),
    }),
    tables: {
      x: {
        "i INTEGER": ["1"],
        "d DECIMAL(38,2)": ["12345678901234567890.00"],
        "f FLOAT": ["0.1"],
        "b BOOLEAN": ["true"],
        "day DATE": ["2020-02-29"],
        "at TIMESTAMP WITH TIME ZONE": ["2019-12-31 22:00:00+00"],
        "s VARCHAR": ["007"],
      },
    },
    uncertain: [],
  },
  {
    what: "nested and binary values",
    files: async () => ({
      "x.parquet": await parquetFile(
        `SELECT {'a': [1, 2]} AS s, [1, NULL] AS l, '\\x00\\xFF'::BLOB AS b, 'text'::BLOB AS t`,
      ),
    }),
    tables: {
      x: { "s JSON": ['{"a":[1,2]}'], "l JSON": ["[1,null]"], "b VARCHAR": ["00ff"], "t VARCHAR": ["text"] },
    },
    uncertain: ["blob", "encoding-guessed"],
  },
  {
    what: "no rows",
    files: async () => ({ "x.parquet": await parquetFile("SELECT 1 AS a WHERE FALSE") }),
    tables: { x: { "a INTEGER": [] } },
    uncertain: [],
  },
  {
    what: "a folder that looks like a partition",
    files: async () => ({ "year=2020/x.parquet": await parquetFile("SELECT 'v' AS a") }),
    tables: { x: { "a VARCHAR": ["v"] } },
    uncertain: [],
  },
  {
    what: "a torn end",
    files: async () => ({ "x.parquet": (await parquetFile("SELECT 1 AS a")).subarray(0, 60) }),
    tables: {},
    uncertain: ["unreadable"],
  },
];

const workbooks: readonly Case[] = [
  {
    what: "dates, times, booleans, links, rich text, formulas and errors",
    files: async () => ({
      "x.xlsx": await workbookFile((workbook) => {
        const sheet = workbook.addWorksheet("Data");
        sheet.addRow(["day", "at", "ok", "link", "rich", "sum", "bad"]);
        sheet.addRow([
          new Date("2020-02-29"),
          new Date("2020-01-01T10:30:00Z"),
          true,
          { text: "here", hyperlink: "https://example.org" },
          { richText: [{ text: "bo" }, { text: "ld" }] },
          { formula: "1+1", result: 2 },
          { error: "#N/A" },
        ]);
        sheet.addRow([
          new Date("2021-01-01"),
          new Date("2020-01-02"),
          false,
          "x",
          "y",
          { formula: "1+2", result: 3 },
          1,
        ]);
      }),
    }),
    tables: {
      x: {
        "day DATE": ["2020-02-29", "2021-01-01"],
        "at TIMESTAMP": ["2020-01-01 10:30:00", "2020-01-02 00:00:00"],
        "ok BOOLEAN": ["true", "false"],
        "link VARCHAR": ["here", "x"],
        "rich VARCHAR": ["bold", "y"],
        "sum BIGINT": ["2", "3"],
        "bad BIGINT": [null, "1"],
      },
    },
    uncertain: ["missing-marker"],
  },
  {
    what: "several sheets, one of them empty, and numbers that are texts",
    files: async () => ({
      "shop data.xlsx": await workbookFile((workbook) => {
        workbook.addWorksheet("Orders 2020").addRows([
          ["id", "zip"],
          [1, "007"],
          [2.5, "8"],
        ]);
        workbook.addWorksheet("Empty");
        workbook.addWorksheet("人员").addRows([["姓名"], ["李"]]);
      }),
    }),
    tables: {
      shop_data_Orders_2020: { "id DOUBLE": ["1.0", "2.5"], "zip VARCHAR": ["007", "8"] },
      shop_data_人员: { "姓名 VARCHAR": ["李"] },
    },
    uncertain: [],
  },
  {
    what: "a title, an empty column and rows around the table, and merged cells",
    files: async () => ({
      "x.xlsx": await workbookFile((workbook) => {
        const sheet = workbook.addWorksheet("S");
        sheet.getCell("B2").value = "Sales of 2020";
        sheet.mergeCells("B2:D2");
        sheet.getRow(4).values = [undefined, undefined, "region", "city", "sales"];
        sheet.getRow(5).values = [undefined, undefined, "North", "A", 1];
        sheet.getRow(6).values = [undefined, undefined, undefined, "B", 2];
        sheet.mergeCells("C5:C6");
      }),
    }),
    tables: { x: { "region VARCHAR": ["North", null], "city VARCHAR": ["A", "B"], "sales BIGINT": ["1", "2"] } },
    uncertain: ["merged-cells", "title-row"],
  },
  {
    what: "a formula without a result",
    files: async () => ({
      "x.xlsx": await workbookFile((workbook) => {
        workbook.addWorksheet("S").addRows([
          ["a", "b"],
          ["x", { formula: "1+1" }],
        ]);
      }),
    }),
    tables: { x: { "a VARCHAR": ["x"], "b VARCHAR": [null] } },
    uncertain: ["formula"],
  },
  {
    what: "a torn end",
    files: async () => ({
      "x.xlsx": (await workbookFile((workbook) => workbook.addWorksheet("S").addRow(["a"]))).subarray(0, 500),
    }),
    tables: {},
    uncertain: ["unreadable"],
  },
];

const others: readonly Case[] = [
  { what: "no data at all", files: () => ({ "empty/.gitkeep": "", ".DS_Store": "x" }), tables: {}, uncertain: [] },
  {
    what: "bytes that nobody knows, and files without bytes",
    files: () => ({
      "x.bin": Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8]),
      "y.zip": "PK\x03\x04\0\0\0\0\0\0\0\0",
      "z.json": "",
      "w.db": "",
    }),
    tables: {},
    uncertain: ["empty-file", "unknown-format"],
  },
  {
    what: "a PDF with a page without text, and one that is none",
    files: () => ({ "x.pdf": pdfFile(["Hello", ""]), "y.pdf": "%PDF-1.4 nonsense" }),
    tables: {},
    uncertain: ["no-text", "unreadable"],
  },
];

describe.each([
  ["a JSON file", json],
  ["a SQLite file", sqlite],
  ["a Parquet file", parquet],
  ["a workbook", workbooks],
  ["a context", others],
])("%s", (_kind, cases) => {
  it.each(cases)("with $what is read as it is, or it is said what is not", async ({ files, tables, uncertain }) => {
    const context = await compiledFrom(await files());
    expect(await tablesOf(context)).toEqual(tables);
    expect(codesOf(context)).toEqual(uncertain);
  });
});
