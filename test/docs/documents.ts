import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Documents for people, relative to the project; the contexts of tasks are data, and so are the changes of old days. */
export const DOCUMENTS: readonly string[] = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
  {
    cwd: ROOT,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => file !== "" && !/^tasks\/.*\/(?:input|output)\//.test(file));

export function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** The blocks of a document that are fenced as `sh`: commands to type. */
export function commandBlocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
}

/** What a document says outside of fenced blocks. */
export function prose(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, "");
}
