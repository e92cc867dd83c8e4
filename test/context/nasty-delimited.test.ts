import { describe, expect, it } from "vitest";
import { type Columns, codesOf, compiledFrom, type Files, tablesOf } from "./compiled.js";

interface Case {
  /** What is nasty about it. */
  readonly what: string;
  readonly files: Files;
  /** Table → column and type → values. */
  readonly tables: Readonly<Record<string, Columns>>;
  /** Codes of all uncertainties. */
  readonly uncertain: readonly string[];
}

const utf16 = (text: string, mark: boolean) => Buffer.from(`${mark ? "\ufeff" : ""}${text}`, "utf16le");
const bigEndian = (text: string) => utf16(text, true).swap16();
/** 编号,城市 / 1,北京 / 2,上海 in GBK. */
const gbk = Buffer.from("b1e0bac52cb3c7cad00a312cb1b1beA90a322cc9cfbaa30a".toLowerCase(), "hex");

const cases: readonly Case[] = [
  {
    what: "CRLF line ends",
    files: { "a.csv": "id,name\r\n1,x\r\n2,y\r\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: [],
  },
  {
    what: "no line end at the end",
    files: { "a.csv": "id,name\n1,x\n2,y" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: [],
  },
  {
    what: "a byte order mark",
    files: { "a.csv": "\ufeffid,name\n1,x\n" },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": ["x"] } },
    uncertain: [],
  },
  {
    what: "a byte order mark, CRLF and quotes together",
    files: { "a.csv": '\ufeff"id","name"\r\n"1","x"\r\n' },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": ["x"] } },
    uncertain: [],
  },
  {
    what: "old Macintosh line ends",
    files: { "a.csv": "id,name\r1,x\r2,y\r" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: [],
  },
  {
    what: "mixed CRLF and LF",
    files: { "a.csv": "id,name\r\n1,x\n2,y\r\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: [],
  },
  {
    what: "a bare carriage return among line feeds",
    files: { "a.csv": "id,name\n1,x\r2,y\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: ["mixed-line-ends"],
  },
  {
    what: "blank lines",
    files: { "a.csv": "id,name\n\n1,x\n\n\n2,y\n\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: [],
  },
  {
    what: "GBK text",
    files: { "a.csv": gbk },
    tables: { a: { "编号 BIGINT": ["1", "2"], "城市 VARCHAR": ["北京", "上海"] } },
    uncertain: ["encoding-guessed"],
  },
  {
    what: "UTF-16 with a mark",
    files: { "a.csv": utf16("id,城市\r\n1,北京\r\n", true) },
    tables: { a: { "id BIGINT": ["1"], "城市 VARCHAR": ["北京"] } },
    uncertain: [],
  },
  {
    what: "big-endian UTF-16 with a mark",
    files: { "a.csv": bigEndian("id,name\n1,é\n") },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": ["é"] } },
    uncertain: [],
  },
  {
    what: "UTF-16 without a mark",
    files: { "a.csv": utf16("id,name\n1,x\n", false) },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": ["x"] } },
    uncertain: ["encoding-guessed"],
  },
  {
    what: "Windows-1252 text",
    files: { "a.csv": Buffer.from("id,name\n1,Andr\u00e9 Fran\u00e7ois\n2,Zo\u00eb\n", "latin1") },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["André François", "Zoë"] } },
    uncertain: ["encoding-guessed"],
  },
  {
    what: "UTF-8 with one broken byte",
    files: {
      "a.csv": Buffer.concat([Buffer.from(`id,name\n1,${"é".repeat(40)}`), Buffer.from([0xff]), Buffer.from("\n")]),
    },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": [`${"é".repeat(40)}\ufffd`] } },
    uncertain: ["encoding-guessed", "invalid-bytes"],
  },
  {
    what: "headers that are SQL expressions",
    files: { "a.csv": `"COUNT(DISTINCT ""x"")","CAST(a AS REAL) * 100 / b, 'c'"\n3,1.5\n` },
    tables: { a: { 'COUNT(DISTINCT "x") BIGINT': ["3"], "CAST(a AS REAL) * 100 / b, 'c' DOUBLE": ["1.5"] } },
    uncertain: [],
  },
  {
    what: "duplicate headers, also ignoring case",
    files: { "a.csv": "x,X,x,x_2\n1,2,3,4\n" },
    tables: { a: { "x BIGINT": ["1"], "X_3 BIGINT": ["2"], "x_4 BIGINT": ["3"], "x_2 BIGINT": ["4"] } },
    uncertain: ["duplicate-header"],
  },
  {
    what: "empty headers",
    files: { "a.csv": ",name,\n0,x,7\n1,y,8\n" },
    tables: { a: { "column_1 BIGINT": ["0", "1"], "name VARCHAR": ["x", "y"], "column_3 BIGINT": ["7", "8"] } },
    uncertain: ["empty-header"],
  },
  {
    what: "headers with spaces and line ends",
    files: { "a.csv": 'id, name ,"total\ncost"\n1,x,2\n' },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": ["x"], "total cost BIGINT": ["2"] } },
    uncertain: [],
  },
  {
    what: "rows that are too short and too long",
    files: { "a.csv": "a,b\n1,2\n3\n4,5,6\n" },
    tables: { a: { "a BIGINT": ["1", "3", "4"], "b BIGINT": ["2", null, "5"], "column_3 BIGINT": [null, null, "6"] } },
    uncertain: ["empty-header", "ragged-rows"],
  },
  {
    what: "a delimiter at the end of every row",
    files: { "a.csv": "a,b\n1,2,\n3,4,\n" },
    tables: { a: { "a BIGINT": ["1", "3"], "b BIGINT": ["2", "4"] } },
    uncertain: [],
  },
  {
    what: "a header that is one name short",
    files: { "a.csv": "mpg,cyl\nMazda,21,6\nFiat,32,4\n" },
    tables: { a: { "mpg VARCHAR": ["Mazda", "Fiat"], "cyl BIGINT": ["21", "32"], "column_3 BIGINT": ["6", "4"] } },
    uncertain: ["empty-header", "header-too-short"],
  },
  {
    what: "a quote that never closes",
    files: { "a.csv": 'id,name\n1,"x\n2,y\n3,"z, ""q"""\n' },
    tables: { a: { "id BIGINT": ["1", "2", "3"], "name VARCHAR": ['"x', "y", 'z, "q"'] } },
    uncertain: ["unterminated-quote"],
  },
  {
    what: "quotes that are not doubled",
    files: { "a.csv": 'id,name\n1,"the "big" one"\n2,5" pipe\n' },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ['the "big" one', '5" pipe'] } },
    uncertain: ["stray-quote"],
  },
  {
    what: "line ends, delimiters and quotes in cells",
    files: { "a.csv": 'id,note\n1,"one\ntwo, ""three""\r\nfour"\n2,x\n' },
    tables: { a: { "id BIGINT": ["1", "2"], "note VARCHAR": ['one\ntwo, "three"\r\nfour', "x"] } },
    uncertain: [],
  },
  {
    what: "a row that starts with #",
    files: { "a.csv": "id,name\n#1,x\n2,y\n" },
    tables: { a: { "id VARCHAR": ["#1", "2"], "name VARCHAR": ["x", "y"] } },
    uncertain: [],
  },
  {
    what: "a line of more than 2 MB",
    files: { "a.csv": `id,text\n1,${"x".repeat(3_000_000)}\n2,y\n` },
    tables: { a: { "id BIGINT": ["1", "2"], "text VARCHAR": ["x".repeat(3_000_000), "y"] } },
    uncertain: [],
  },
  {
    what: "leading zeros",
    files: { "a.csv": "zip,n\n00123,1\n90210,2\n" },
    tables: { a: { "zip VARCHAR": ["00123", "90210"], "n BIGINT": ["1", "2"] } },
    uncertain: [],
  },
  {
    what: "ids of more than 18 digits",
    files: { "a.csv": "id,n\n1234567890123456789,1\n1234567890123456788,2\n" },
    tables: { a: { "id VARCHAR": ["1234567890123456789", "1234567890123456788"], "n BIGINT": ["1", "2"] } },
    uncertain: [],
  },
  {
    what: "whole numbers among fractions that DOUBLE cannot hold",
    files: { "a.csv": "x,n\n123456789012345677,1\n1.5,2\n" },
    tables: { a: { "x VARCHAR": ["123456789012345677", "1.5"], "n BIGINT": ["1", "2"] } },
    uncertain: ["long-integers"],
  },
  {
    what: "fractions longer than DOUBLE",
    files: { "a.csv": "x,n\n0.1234567890123456789,1\n0.30000000000000004,2\n" },
    tables: { a: { "x DOUBLE": ["0.12345678901234568", "0.30000000000000004"], "n BIGINT": ["1", "2"] } },
    uncertain: ["precision"],
  },
  {
    what: "1.5 after 30,000 whole numbers",
    files: { "a.csv": `x,n\n${"1,1\n".repeat(30_000)}1.5,1\n` },
    tables: { a: { "x DOUBLE": [...Array(30_000).fill("1.0"), "1.5"], "n BIGINT": Array(30_001).fill("1") } },
    uncertain: [],
  },
  {
    what: "dates that may be day-first or month-first",
    files: { "a.csv": "day,n\n01/02/2020,1\n" },
    tables: { a: { "day VARCHAR": ["01/02/2020"], "n BIGINT": ["1"] } },
    uncertain: [],
  },
  {
    what: "dates and times that can be read in one way",
    files: { "a.csv": "day,at\n2020-02-29,2020-01-01 10:30:00\n2021-01-01,2020-01-02T00:00:00.5\n" },
    tables: {
      a: {
        "day DATE": ["2020-02-29", "2021-01-01"],
        "at TIMESTAMP": ["2020-01-01 10:30:00", "2020-01-02 00:00:00.5"],
      },
    },
    uncertain: [],
  },
  {
    what: "a date that does not exist",
    files: { "a.csv": "day\n2020-02-29\n2021-01-01\n2021-01-02\n2021-01-03\n2021-02-30\n" },
    tables: { a: { "day VARCHAR": ["2020-02-29", "2021-01-01", "2021-01-02", "2021-01-03", "2021-02-30"] } },
    uncertain: ["mixed-types"],
  },
  {
    what: "words for true and false",
    files: { "a.csv": "a,b\nyes,True\nno,False\n" },
    tables: { a: { "a VARCHAR": ["yes", "no"], "b VARCHAR": ["True", "False"] } },
    uncertain: [],
  },
  {
    what: "words for a missing value among numbers",
    files: { "a.csv": "x,n\n1,1\nNA,2\n3,\n" },
    tables: { a: { "x BIGINT": ["1", null, "3"], "n BIGINT": ["1", "2", null] } },
    uncertain: ["missing-marker"],
  },
  {
    what: "words for a missing value among words",
    files: { "a.csv": "x,n\nNone,1\nNA,2\nNamibia,3\n,4\n" },
    tables: { a: { "x VARCHAR": ["None", "NA", "Namibia", null], "n BIGINT": ["1", "2", "3", "4"] } },
    uncertain: [],
  },
  {
    what: "thousands separators",
    files: { "a.csv": 'x,n\n"1,234",1\n"5",2\n' },
    tables: { a: { "x VARCHAR": ["1,234", "5"], "n BIGINT": ["1", "2"] } },
    uncertain: [],
  },
  {
    what: "numbers with spaces around them",
    files: { "a.csv": 'x,y,z\n"        564.60", 7,a \n"1.5",8, b\n' },
    tables: { a: { "x DOUBLE": ["564.6", "1.5"], "y BIGINT": ["7", "8"], "z VARCHAR": ["a ", " b"] } },
    uncertain: ["padded-numbers"],
  },
  {
    what: "codes that look like numbers with exponents, signs or underscores",
    files: { "a.csv": "a,b,c,d\n12E4,+86,1_000,0x1F\n7,1,2,3\n" },
    tables: {
      a: {
        "a VARCHAR": ["12E4", "7"],
        "b VARCHAR": ["+86", "1"],
        "c VARCHAR": ["1_000", "2"],
        "d VARCHAR": ["0x1F", "3"],
      },
    },
    uncertain: [],
  },
  {
    what: "numbers with exponents",
    files: { "a.csv": "a\n1e-07\n2.5E+3\n-3\n" },
    tables: { a: { "a DOUBLE": ["1e-07", "2500.0", "-3.0"] } },
    uncertain: [],
  },
  {
    what: "one number that is mostly but not always there",
    files: { "a.csv": `x,n\n${"1,1\n".repeat(9)}?,1\n` },
    tables: { a: { "x VARCHAR": [...Array(9).fill("1"), "?"], "n BIGINT": Array(10).fill("1") } },
    uncertain: ["mixed-types"],
  },
  {
    what: 'empty cells written "" beside empty cells',
    files: { "a.csv": 'x,n\n"",1\n,2\nz,3\n' },
    tables: { a: { "x VARCHAR": [null, null, "z"], "n BIGINT": ["1", "2", "3"] } },
    uncertain: ["quoted-empty"],
  },
  {
    what: "one column, with commas in it and a blank line",
    files: { "a.csv": "name\nSmith, John\n\nDoe, Jane\n" },
    tables: { a: { "name VARCHAR": ["Smith, John", "Doe, Jane"] } },
    uncertain: ["blank-lines"],
  },
  {
    what: 'one column with "" as a missing value',
    files: { "a.csv": 'n\n1\n""\n2\n' },
    tables: { a: { "n BIGINT": ["1", null, "2"] } },
    uncertain: [],
  },
  {
    what: "semicolons and decimal commas",
    files: { "a.csv": "name;price\nx;1,50\ny;2,25\n" },
    tables: { a: { "name VARCHAR": ["x", "y"], "price VARCHAR": ["1,50", "2,25"] } },
    uncertain: [],
  },
  {
    what: "tabs, in a .tsv and in a .txt",
    files: { "a.tsv": "id\tname\n1\tx, y\n", "b.txt": "id\tname\n1\tx\n2\ty\n" },
    tables: {
      a: { "id BIGINT": ["1"], "name VARCHAR": ["x, y"] },
      b: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"] },
    },
    uncertain: [],
  },
  {
    what: "bars",
    files: { "a.csv": "id|name\n1|x,y\n2|z\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x,y", "z"] } },
    uncertain: [],
  },
  {
    what: "a line that names the delimiter",
    files: { "a.csv": "sep=;\r\nid;name\r\n1;x\r\n" },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": ["x"] } },
    uncertain: ["title-row"],
  },
  {
    what: "a title above the header",
    files: { "a.csv": "Report of 2020,,\nid,name,team\n1,x,A\n2,y,B\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "name VARCHAR": ["x", "y"], "team VARCHAR": ["A", "B"] } },
    uncertain: ["title-row"],
  },
  {
    what: "no header",
    files: { "a.csv": "1,2.5\n3,4\n" },
    tables: { a: { "column_1 BIGINT": ["1", "3"], "column_2 DOUBLE": ["2.5", "4.0"] } },
    uncertain: ["empty-header", "no-header"],
  },
  {
    what: "years as headers",
    files: { "a.csv": "country,2019,2020\nA,1,2\n" },
    tables: { a: { "country VARCHAR": ["A"], "2019 BIGINT": ["1"], "2020 BIGINT": ["2"] } },
    uncertain: [],
  },
  {
    what: "a header and no rows",
    files: { "a.csv": "id,name\n" },
    tables: { a: { "id VARCHAR": [], "name VARCHAR": [] } },
    uncertain: [],
  },
  {
    what: "a column without a value",
    files: { "a.csv": "id,none\n1,\n2,\n" },
    tables: { a: { "id BIGINT": ["1", "2"], "none VARCHAR": [null, null] } },
    uncertain: [],
  },
  { what: "no bytes at all", files: { "a.csv": "" }, tables: {}, uncertain: ["empty-file"] },
  { what: "nothing but line ends", files: { "a.csv": "\n\r\n\n" }, tables: {}, uncertain: ["empty-file"] },
  {
    what: "a NUL in a cell",
    files: { "a.csv": `id,name\n1,x\0y${"z".repeat(200)}\n` },
    tables: { a: { "id BIGINT": ["1"], "name VARCHAR": [`x\0y${"z".repeat(200)}`] } },
    uncertain: [],
  },
  {
    what: "Chinese, spaced and pattern-like file names",
    files: { "数据/用户 表.csv": "id\nx\n", "b[1]*?.csv": "id\ny\n", "2014 q4.csv": "id\nz\n" },
    tables: { 用户_表: { "id VARCHAR": ["x"] }, b_1: { "id VARCHAR": ["y"] }, t_2014_q4: { "id VARCHAR": ["z"] } },
    uncertain: [],
  },
  {
    what: "one table name in several files",
    files: { "races.csv": "id\na\n", "Races.tsv": "id\nb\n", "old/races.csv": "id\nc\n", "new/races.csv": "id\nd\n" },
    tables: {
      Races: { "id VARCHAR": ["b"] },
      races_csv: { "id VARCHAR": ["d"] },
      races_csv_old: { "id VARCHAR": ["c"] },
      races_csv_top: { "id VARCHAR": ["a"] },
    },
    uncertain: ["table-renamed"],
  },
];

describe("a delimited file", () => {
  it.each(cases)("with $what is read as it is, or it is said what is not", async ({ files, tables, uncertain }) => {
    const context = await compiledFrom(files);
    expect(await tablesOf(context)).toEqual(tables);
    expect(codesOf(context)).toEqual(uncertain);
  });
});
