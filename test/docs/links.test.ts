import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, prose, ROOT, textOf } from "./documents.js";

/** The anchor of a heading, as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

const anchors = (file: string) =>
  [...prose(textOf(file)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));

describe("links of the documents", () => {
  it("are looked for where there are some", () => {
    expect(DOCUMENTS).toContain("README.md");
    expect(DOCUMENTS.length).toBeGreaterThan(20);
  });

  it.each(DOCUMENTS)("%s leads where it says", (file) => {
    const links = [...prose(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
    const broken = links.filter((link) => {
      if (/^(?:https?:|mailto:)/.test(link)) return !URL.canParse(link);
      const [target = "", anchor] = link.split("#");
      const place = target === "" ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(target));
      if (place.startsWith("..") || !existsSync(path.join(ROOT, place))) return true;
      return anchor !== undefined && place.endsWith(".md") && !anchors(place).includes(decodeURIComponent(anchor));
    });
    expect(broken).toEqual([]);
  });
});
