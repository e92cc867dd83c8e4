import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { digestOf, sha256 } from "../core/digest.js";
import { type Checks, NO_CHECKS, readChecks } from "./checks.js";

/** Files up to this size are read at once. */
const SMALL_BYTES = 256 * 1024;

/** Where a task is: all that is needed to find its gold. */
export interface TaskPlace {
  /** Folder with task.json. */
  readonly folder: string;
  readonly task_id: string;
}

/** What a task's answer is measured against. Nothing but scoring may hold one. */
export interface Gold {
  /** Path of gold.csv; null where there is none. */
  readonly file: string | null;
  readonly checks: Checks;
}

/** Reads the gold and checks of a task. Throws UsageError for checks that cannot be read, each problem with file and line. */
export async function loadGold(task: TaskPlace): Promise<Gold> {
  return readGoldFolder(goldFolder(task));
}

/** Reads `gold.csv` and `checks.yaml` of one folder, both optional. Throws UsageError as `loadGold`. */
export async function readGoldFolder(folder: string): Promise<Gold> {
  const { gold, checks } = goldFiles(folder);
  return { file: gold, checks: checks === null ? NO_CHECKS : await readChecks(checks) };
}

/** A digest of the bytes of a task's gold.csv and checks.yaml; null where it has neither. */
export async function goldDigest(folder: string, task_id: string): Promise<string | null> {
  const { gold, checks } = goldFiles(goldFolder({ folder, task_id }));
  if (gold === null && checks === null) return null;
  return digestOf({
    gold: gold === null ? null : await digestFile(gold),
    checks: checks === null ? null : await digestFile(checks),
  });
}

/**
 * Where gold and checks are: for `<root>/input/<folder>` in `<root>/output/<task_id>` (or output/<folder>), so that the
 * official input stays untouched; else beside task.json. The first of these that has either file.
 */
function goldFolder({ folder, task_id }: TaskPlace): string {
  const parent = path.dirname(path.resolve(folder));
  if (path.basename(parent) === "input") {
    const output = path.join(path.dirname(parent), "output");
    for (const name of [task_id, path.basename(folder)]) {
      const candidate = path.join(output, name);
      const { gold, checks } = goldFiles(candidate);
      if (gold !== null || checks !== null) return candidate;
    }
  }
  return folder;
}

/** Synchronous, because that is an order of magnitude faster and happens for every trial. */
function goldFiles(folder: string): { readonly gold: string | null; readonly checks: string | null } {
  const there = (name: string) => {
    const file = path.join(folder, name);
    return existsSync(file) ? file : null;
  };
  return { gold: there("gold.csv"), checks: there("checks.yaml") };
}

/** A file that cannot be read has a digest too: scoring says what is wrong with it. */
async function digestFile(file: string): Promise<string> {
  try {
    if (statSync(file).size <= SMALL_BYTES) return sha256(readFileSync(file));
    const hash = createHash("sha256");
    await pipeline(createReadStream(file), hash);
    return hash.digest("hex");
  } catch {
    return "unreadable";
  }
}
