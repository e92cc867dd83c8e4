import { describe, expect, it } from "vitest";
import { extractorRequest } from "../../src/agent/extractor-request.js";
import { passageRows } from "../../src/context/structured/passage-reply.js";
import { createLexicalModel } from "../../src/models/lexical/lexical-model.js";
import { started } from "../support/events.js";
import { NO_IMAGES } from "../support/images.js";
import { profileWith } from "../support/profile.js";

const profile = profileWith({});
const model = createLexicalModel(profile.model);
const call = {
  signal: new AbortController().signal,
  on_retry: async () => {},
  on_wait: () => {},
  asked_before: 0,
  images: NO_IMAGES,
};

/** What the embedded baseline reads in a passage, as far as code lets it stand: lines and values of each row. */
async function rowsOf(fields: readonly string[], text: string) {
  const lines = text
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [{ line: index + 1, text: line }]));
  const question = { path: "doc/a.md", fields, passage: 0, passages: 1, lines, mend: null };
  const reply = await model.respond(extractorRequest(question, started(), profile), call);
  if (!reply.ok) throw new Error("the baseline failed");
  const read = passageRows(reply.response.content, lines, fields, () => null);
  if (!read.ok) throw new Error(read.error);
  expect(read.left_out).toEqual([]);
  return read.records.map(({ cited_lines, values }) => [cited_lines, Object.fromEntries(values)]);
}

describe("the embedded baseline as extractor", () => {
  it("makes a row of each sentence that names something and gives a number or date that was asked for", async () => {
    const text = `## North coast

Cape Ardent was first lit on 12 March 1884 and stands 31 m above the
sea. Its range is 22 miles. Gull Rock, lit in 1901, has a height of 18.5 m.
It is very old. In 1950 the Old Pier Light was moved.`;
    expect(await rowsOf(["Lighthouse", "First lit", "Height (m)", "Range"], text)).toEqual([
      [[3, 4], { Lighthouse: "Cape Ardent", "First lit": "12 March 1884", "Height (m)": "31 m" }],
      [[3, 4], { Lighthouse: "Cape Ardent", Range: "22 miles" }],
      [[4], { Lighthouse: "Gull Rock", "First lit": "1901", "Height (m)": "18.5 m" }],
    ]);
  });

  it("reads Chinese, also where a sentence goes on in the next line", async () => {
    const text = `# 水库
青石水库位于城北，建成于1968年，库容为1,250万立方米。
其最大坝高为45米。白云水库建成于1975年，
库容860万立方米。`;
    expect(await rowsOf(["水库", "建成年份", "坝高"], text)).toEqual([
      [[2], { 水库: "青石水库", 建成年份: "1968" }],
      [[2, 3], { 水库: "青石水库", 坝高: "45米" }],
      [[3, 4], { 水库: "白云水库", 建成年份: "1975" }],
    ]);
  });

  it("takes the heading for the subject where the text does not name it, and no number that belongs to nothing asked", async () => {
    const text = "### Mill Bridge\n\nThe span is 140 m and there are 3 piers.\n\n### Ford\n\nNothing is known.";
    expect(await rowsOf(["Bridge", "Span (m)", "Opened"], text)).toEqual([
      [[1, 3], { Bridge: "Mill Bridge", "Span (m)": "140 m" }],
    ]);
  });

  it("finds nothing where nothing is, and says the same each time", async () => {
    const text = "Once upon a time there was a king who had two daughters.";
    expect(await rowsOf(["King", "Age"], text)).toEqual([]);
    expect(await rowsOf(["King", "Age"], text)).toEqual([]);
  });
});
