import { oneLine } from "./text-width.js";

/** Text that means nothing to Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_{}[\]|~]/g, "\\$&");
}

/** A table row of texts. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}
