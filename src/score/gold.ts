import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { digestOf } from "../core/digest.js";
import { type Checks, NO_CHECKS, readChecks } from "./checks.js";

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
  return readGoldFolder(await goldFolder(task));
}

/** Reads `gold.csv` and `checks.yaml` of one folder, both optional. Throws UsageError as `loadGold`. */
export async function readGoldFolder(folder: string): Promise<Gold> {
  const { gold, checks } = await goldFiles(folder);
  return { file: gold, checks: checks === null ? NO_CHECKS : await readChecks(checks) };
}

/** A digest of the bytes of a task's gold.csv and checks.yaml; null where it has neither. */
export async function goldDigest(folder: string, task_id: string): Promise<string | null> {
  const { gold, checks } = await goldFiles(await goldFolder({ folder, task_id }));
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
async function goldFolder({ folder, task_id }: TaskPlace): Promise<string> {
  const parent = path.dirname(path.resolve(folder));
  if (path.basename(parent) === "input") {
    const output = path.join(path.dirname(parent), "output");
    for (const name of [task_id, path.basename(folder)]) {
      const candidate = path.join(output, name);
      const { gold, checks } = await goldFiles(candidate);
      if (gold !== null || checks !== null) return candidate;
    }
  }
  return folder;
}

async function goldFiles(folder: string) {
  const [gold, checks] = await Promise.all(
    ["gold.csv", "checks.yaml"].map(async (name) => {
      const file = path.join(folder, name);
      return (await isThere(file)) ? file : null;
    }),
  );
  return { gold: gold ?? null, checks: checks ?? null };
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** A file that cannot be read has a digest too: scoring says what is wrong with it. */
async function digestFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  return pipeline(createReadStream(file), hash).then(
    () => hash.digest("hex"),
    () => "unreadable",
  );
}
