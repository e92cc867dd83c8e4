import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

interface TaskFiles {
  readonly task_id: string;
  readonly question?: string;
  /** Path in the context → content. */
  readonly context?: Readonly<Record<string, string>>;
  /** gold.csv beside task.json. */
  readonly gold?: string;
}

/** A hand-made task in `<root>/<task_id>/`: a small table of fruit unless `context` says otherwise. */
export async function writeTask(root: string, task: TaskFiles): Promise<string> {
  const folder = path.join(root, task.task_id);
  const files = task.context ?? { "csv/fruit.csv": "name,colour,grams\napple,red,150\npear,green,170\nplum,red,40\n" };
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, "context", name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const { task_id, question = "How many fruit are red?" } = task;
  await writeFile(path.join(folder, "task.json"), JSON.stringify({ task_id, question, difficulty: "easy" }));
  if (task.gold !== undefined) await writeFile(path.join(folder, "gold.csv"), task.gold);
  return folder;
}
