import { describe, expect, it } from "vitest";
import { documentLines, knowledgeOf } from "../../src/context/documents.js";
import { compiledFrom } from "./compiled.js";
import { pdfFile } from "./made-files.js";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("the documents of a context", () => {
  it("have an outline of Markdown headings, marked or underlined, but not of code", async () => {
    const text = [
      "Guide",
      "=====",
      "",
      "## Terms ##",
      "a line",
      "```sql",
      "# no heading",
      "```",
      "",
      "Rules",
      "---",
      "| a |",
      "|---|",
      "- item",
      "---",
      "####### seven marks",
      "#no space",
      "### 数据 字典",
    ];
    const context = await compiledFrom({ "doc/guide.md": `\ufeff${text.join("\r\n")}\r\n` });
    expect(context.catalog.documents).toEqual([
      {
        path: "doc/guide.md",
        format: "markdown",
        bytes: 3 + Buffer.byteLength(text.join("\r\n")) + 2,
        lines: text.length,
        characters: text.join("\n").length + 1,
        headings: [
          { level: 1, text: "Guide", line: 1 },
          { level: 2, text: "Terms", line: 4 },
          { level: 2, text: "Rules", line: 10 },
          { level: 3, text: "数据 字典", line: 18 },
        ],
      },
    ]);
    expect(await documentLines(context, "doc/guide.md")).toEqual(text);
    expect(await documentLines(context, "doc/other.md")).toBeNull();
  });

  it("are text in any encoding, whatever they are called, and prose is no table", async () => {
    const prose =
      "Dear all, this is a letter, which has commas.\nIt has, as letters do, several lines, too.\nYours, me, truly, ok\n";
    const context = await compiledFrom({
      "a.txt": prose,
      "b.sql": "SELECT 1",
      "c.log": Buffer.from("\ufeffzwölf", "utf16le"),
      "d.txt": Buffer.from("d6d0cec4d7cad1b6", "hex"),
      README: "line",
    });
    expect(context.catalog.tables).toEqual([]);
    const texts = [];
    for (const { path } of context.catalog.documents) texts.push([path, await documentLines(context, path)]);
    expect(texts).toEqual([
      ["README", ["line"]],
      ["a.txt", prose.trimEnd().split("\n")],
      ["b.sql", ["SELECT 1"]],
      ["c.log", ["zwölf"]],
      ["d.txt", ["中文资讯"]],
    ]);
    expect(context.catalog.uncertainties.map(({ source, code }) => [source, code])).toEqual([
      ["d.txt", "encoding-guessed"],
    ]);
  });

  it("include the text of PDFs, a heading a page", async () => {
    const context = await compiledFrom({ "report.pdf": pdfFile(["Total revenue 2020", "", "The end"]) });
    expect(context.catalog.documents[0]).toMatchObject({
      format: "pdf",
      lines: 3,
      headings: [
        { level: 1, text: "Page 1", line: 1 },
        { level: 1, text: "Page 2", line: 2 },
        { level: 1, text: "Page 3", line: 3 },
      ],
    });
    expect(await documentLines(context, "report.pdf")).toEqual(["Total revenue 2020", "", "The end"]);
  });

  it("give knowledge.md in full, from the top of the context and in any case", async () => {
    const text = `# Knowledge\n${"word ".repeat(3000)}\nend\n`;
    expect(await knowledgeOf(await compiledFrom({ "Knowledge.md": text, "doc/knowledge.md": "other" }))).toBe(
      text.trimEnd(),
    );
    expect(await knowledgeOf(await compiledFrom({ "doc/knowledge.md": "other" }))).toBeNull();
  });

  it("are told apart from images and films, by content first", async () => {
    const context = await compiledFrom({
      "a.png": png,
      "photo.txt": png,
      "film.mp4": Buffer.from("\0\0\0\x18ftypmp42\0\0"),
    });
    expect(context.catalog.media).toEqual([
      { path: "a.png", type: "image/png", bytes: 16 },
      { path: "film.mp4", type: "video/mp4", bytes: 14 },
      { path: "photo.txt", type: "image/png", bytes: 16 },
    ]);
    expect(context.catalog.documents).toEqual([]);
  });
});
