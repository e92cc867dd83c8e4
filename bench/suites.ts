import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** Writes a suite of `count` small tasks with equal data (so that it compiles once) and gold. Returns its folder. */
export async function writeSuite(folder: string, count: number): Promise<string> {
  const suite = path.join(folder, `suite-${count}`);
  const width = String(count).length;
  for (let index = 1; index <= count; index++) {
    const task_id = `task_${String(index).padStart(width, "0")}`;
    const csv = path.join(suite, task_id, "context", "csv");
    await mkdir(csv, { recursive: true });
    await writeFile(path.join(csv, "fruit.csv"), "name,colour,grams\napple,red,150\npear,green,170\nplum,red,40\n");
    await writeFile(
      path.join(suite, task_id, "task.json"),
      JSON.stringify({ task_id, question: `How many fruit are red, asked for the ${index}th time?` }),
    );
    await writeFile(path.join(suite, task_id, "gold.csv"), "n\n2\n");
  }
  return suite;
}

/** A profile for the bench's server. */
export async function writeProfile(folder: string, baseUrl: string, more: string): Promise<string> {
  const file = path.join(folder, `profile-${Math.random().toString(36).slice(2)}.yaml`);
  await writeFile(file, `model: {provider: openai, name: scripted, base_url: "${baseUrl}"}\n${more}`);
  return file;
}
