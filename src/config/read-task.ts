import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isSafeName } from "../core/identity.js";
import { nearest } from "../core/nearest.js";
import { DIFFICULTIES, type Task } from "../core/task.js";
import { unreadable } from "../core/unreadable.js";
import { jsonErrorAt } from "./json-error.js";

export type TaskRead =
  | { readonly task: Task }
  /** One line a problem, each with its path. */
  | { readonly problems: readonly string[] };

const ID_RULE = "task_id must be a name that a folder can have: letters, digits, _, - and ., at most 200 bytes";

const taskSchema = z.looseObject(
  {
    task_id: z
      .string({ error: (issue) => (issue.input === undefined ? "task_id is missing" : "task_id must be text") })
      .refine(isSafeName, ID_RULE),
    question: z
      .string({ error: (issue) => (issue.input === undefined ? "question is missing" : "question must be text") })
      .refine((text) => text.trim() !== "", "question is empty"),
    difficulty: z
      .enum(DIFFICULTIES, { error: (issue) => difficultyProblem(issue.input) })
      .nullish()
      .transform((difficulty) => difficulty ?? "unknown"),
    tags: z.array(z.string("every tag must be text"), "tags must be a list of text").default([]),
  },
  "is no task: it must be one JSON object",
);

function difficultyProblem(found: unknown): string {
  const [meant] = typeof found === "string" ? nearest(found, DIFFICULTIES) : [];
  const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
  return `difficulty must be one of ${DIFFICULTIES.join(", ")}, not ${JSON.stringify(found)}${hint}`;
}

/** Reads a task folder: `task.json` (UTF-8, a BOM allowed) and that there is a `context/`. Gold is not looked at. */
export async function readTask(folder: string): Promise<TaskRead> {
  const file = path.join(folder, "task.json");
  const context_dir = path.join(folder, "context");
  const [json, contextProblem] = await Promise.all([readJson(file), folderProblem(context_dir)]);
  const problems = contextProblem === null ? [] : [contextProblem];
  if ("problem" in json) return { problems: [json.problem, ...problems] };
  const read = taskSchema.safeParse(json.value);
  if (!read.success)
    return { problems: [...read.error.issues.map((issue) => `${file}: ${issue.message}`), ...problems] };
  if (problems.length > 0) return { problems };
  const { task_id, question, difficulty, tags, ...extra } = read.data;
  return { task: { task_id, question, difficulty, tags, folder, context_dir, extra } };
}

async function readJson(file: string): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const reason = error instanceof TypeError ? "is not UTF-8 text" : unreadable(error);
    return { problem: `${file}: ${reason}` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    const { line, column } = jsonErrorAt(text);
    return { problem: `${file}:${line}:${column}: is not JSON from here on` };
  }
}

async function folderProblem(folder: string): Promise<string | null> {
  try {
    return (await stat(folder)).isDirectory() ? null : `${folder}: is a file, not a folder`;
  } catch (error) {
    const reason = unreadable(error);
    return `${folder}: ${reason === "no such file" ? "no such folder (a task's data is in context/)" : reason}`;
  }
}
