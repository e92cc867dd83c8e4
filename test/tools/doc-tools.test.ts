import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, callerOf, compiled } from "./tool-fixture.js";

const HANDBOOK = `# Handbook

Intro.

## Rates

Rates are stored as decimals.

### Rounding

Half up.

## Notes

First notes.

# Appendix

## Notes

Second notes, with the Rates again.
`;
const LONG = Array.from({ length: 400 }, (_, index) => `line ${index + 1} says "x\\y" and more`).join("\n");
const ONE_LINE = Array.from({ length: 3000 }, (_, index) => `字段${index}的口径是"元"。`).join("");

let docs: Caller;

beforeAll(async () => {
  docs = callerOf(
    await compiled({
      "doc/handbook.md": HANDBOOK,
      "doc/long.txt": LONG,
      "doc/指标 说明.md": `# 指标\n\n${ONE_LINE}\n\n## 利润率\n\n利润率按小数存储，阈值 5% 即 0.05。\n`,
      "csv/a.csv": "a\n1\n",
    }),
  );
});
afterAll(() => docs.pool.close());

describe("lookup_doc_outline", () => {
  it("shows headings with their lines, of one document or all", async () => {
    const all = await docs.read("lookup_doc_outline", {});
    expect(all).toMatchObject({
      documents: [{ path: "doc/handbook.md" }, { path: "doc/long.txt" }, { path: "doc/指标 说明.md" }],
    });
    expect(await docs.read("lookup_doc_outline", { path: "handbook.md" })).toEqual({
      documents: [
        {
          path: "doc/handbook.md",
          format: "markdown",
          lines: 21,
          characters: expect.any(Number),
          headings: [
            { level: 1, text: "Handbook", line: 1 },
            { level: 2, text: "Rates", line: 5 },
            { level: 3, text: "Rounding", line: 9 },
            { level: 2, text: "Notes", line: 13 },
            { level: 1, text: "Appendix", line: 17 },
            { level: 2, text: "Notes", line: 19 },
          ],
        },
      ],
    });
  });

  it("names the nearest document for an unknown one", async () => {
    const result = await docs.call("lookup_doc_outline", { path: "doc/handbok.md" });
    expect(result).toMatchObject({ ok: false, error: "unknown-document" });
    expect(result.content).toContain("did you mean");
  });
});

describe("read_doc", () => {
  it("shows a whole document", async () => {
    expect(await docs.read("read_doc", { path: "doc/handbook.md" })).toEqual({
      path: "doc/handbook.md",
      heading: null,
      lines: 21,
      start_line: 1,
      end_line: 21,
      text: HANDBOOK.trimEnd(),
      next_line: null,
      next_character: null,
      truncated: false,
    });
  });

  it("shows the section under a heading, with those inside it", async () => {
    expect(await docs.read("read_doc", { path: "doc/handbook.md", heading: "## rates " })).toMatchObject({
      heading: "Rates",
      start_line: 5,
      end_line: 12,
      text: "## Rates\n\nRates are stored as decimals.\n\n### Rounding\n\nHalf up.\n",
      next_line: null,
    });
  });

  it("says where else a heading stands, and takes the section that holds start_line", async () => {
    const first = await docs.read("read_doc", { path: "doc/handbook.md", heading: "Notes" });
    expect(first).toMatchObject({
      start_line: 13,
      text: expect.stringContaining("First"),
      same_heading_on_lines: [19],
    });
    const second = await docs.read("read_doc", { path: "doc/handbook.md", heading: "Notes", start_line: 19 });
    expect(second).toMatchObject({
      start_line: 19,
      text: expect.stringContaining("Second"),
      same_heading_on_lines: [13],
    });
  });

  it("answers unknown headings and lines with what there is", async () => {
    const heading = await docs.call("read_doc", { path: "doc/handbook.md", heading: "Rate" });
    expect(heading).toMatchObject({ ok: false, error: "unknown-heading" });
    expect(heading.content).toContain('\\"Rates\\"');
    const line = await docs.call("read_doc", { path: "doc/handbook.md", start_line: 22 });
    expect(line).toMatchObject({ ok: false, error: "no-such-line" });
    expect(line.content).toContain("lines 1 to 21");
  });

  it.each([
    ["doc/long.txt", LONG],
    ["doc/指标 说明.md", `# 指标\n\n${ONE_LINE}\n\n## 利润率\n\n利润率按小数存储，阈值 5% 即 0.05。`],
  ])("gives %s whole when paged through, whatever the size of a page", async (path, text) => {
    for (const max_result_characters of [500, 2000, 20_000]) {
      let read = "";
      let at: object | null = { start_line: 1, start_character: 1 };
      for (let pages = 0; at !== null; pages++) {
        const result = await docs.call("read_doc", { path, ...at }, { max_result_characters });
        expect(result.content.length).toBeLessThanOrEqual(max_result_characters);
        const page = JSON.parse(result.content);
        expect(page).not.toHaveProperty("left_out");
        expect(result.truncated).toBe(page.next_line !== null);
        read += page.text + (page.next_line !== null && page.next_character === 1 ? "\n" : "");
        at = page.next_line === null ? null : { start_line: page.next_line, start_character: page.next_character };
        expect(pages).toBeLessThan(500);
      }
      expect(read).toBe(text);
    }
  });

  it("is not truncated when all the lines that were asked for are shown", async () => {
    const result = await docs.call("read_doc", { path: "doc/long.txt", start_line: 11, max_lines: 2 });
    expect(result).toMatchObject({ ok: true, truncated: false });
    expect(JSON.parse(result.content)).toMatchObject({
      start_line: 11,
      end_line: 12,
      next_line: 13,
      next_character: 1,
      truncated: false,
      text: 'line 11 says "x\\y" and more\nline 12 says "x\\y" and more',
    });
  });
});

describe("search_doc", () => {
  it("finds passages with their places, best first", async () => {
    const found = await docs.read("search_doc", { query: "stored as decimals rates" });
    expect(found).toMatchObject({
      matches: [
        { path: "doc/handbook.md", heading: "Rates", line: 7, character: 1, text: "Rates are stored as decimals." },
        { path: "doc/handbook.md", line: 5 },
        { path: "doc/handbook.md", line: 21 },
      ],
      documents_searched: 3,
    });
  });

  it("finds Chinese words without spaces, also inside a very long line", async () => {
    const rate = await docs.read("search_doc", { query: "利润率阈值", limit: 1 });
    expect(rate).toMatchObject({ matches: [{ path: "doc/指标 说明.md", heading: "利润率", line: 7 }] });
    const { matches } = JSON.parse((await docs.call("search_doc", { query: "字段2999的口径", limit: 1 })).content);
    expect(matches[0].text).toContain("字段2999的口径");
    const { path, line, character } = matches[0];
    const page = await docs.read("read_doc", { path, start_line: line, start_character: character, max_lines: 1 });
    expect(page).toMatchObject({ text: expect.stringContaining("字段2999的口径") });
  });

  it("looks in one document when told to, and finds nothing without failing", async () => {
    expect(await docs.read("search_doc", { query: "rates", path: "doc/long.txt" })).toEqual({
      matches: [],
      documents_searched: 1,
    });
    expect(await docs.read("search_doc", { query: "!!! ???" })).toMatchObject({ matches: [] });
    expect(await docs.call("search_doc", { query: "x", path: "nowhere.md" })).toMatchObject({
      ok: false,
      error: "unknown-document",
    });
  });
});
