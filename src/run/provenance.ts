import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { RunStart } from "../core/run-record.js";

const execute = promisify(execFile);

/** Commit and dirty flag of the git checkout that `folder` is in; null where there is none. */
export async function gitState(folder: string): Promise<RunStart["git"]> {
  try {
    const [commit, status] = await Promise.all([
      execute("git", ["rev-parse", "HEAD"], { cwd: folder }),
      execute("git", ["status", "--porcelain", "--untracked-files=no"], { cwd: folder }),
    ]);
    return { commit: commit.stdout.trim(), dirty: status.stdout.trim() !== "" };
  } catch {
    return null;
  }
}

/** Versions of what made the run. */
export async function versions(): Promise<RunStart["versions"]> {
  return {
    daw_eval: await packageVersion(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

async function packageVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  const parsed: unknown = JSON.parse(text);
  const version = parsed !== null && typeof parsed === "object" && "version" in parsed ? parsed.version : null;
  return typeof version === "string" ? version : "unknown";
}
