import type { Arm, Profile } from "../core/profile.js";
import { dealt, type Shard } from "../core/shard.js";
import type { Suite } from "../core/task.js";
import { bytes, counted } from "../report/numbers.js";
import { folderSize } from "./folder-size.js";
import { printLines } from "./text.js";

/** What `--dry-run` prints: size and rough cost of a run. */
export async function printPlan(
  suite: Suite,
  arms: readonly [Arm, ...Arm[]],
  shard: Shard | null,
  runId: string,
): Promise<void> {
  const [{ profile }] = arms;
  const tasks = shard === null ? suite.tasks : dealt(suite.tasks, shard);
  const each = tasks.length * profile.repeats;
  const sizes = await Promise.all(tasks.map((task) => folderSize(task.context_dir)));
  const times = arms.length === 1 ? "" : ` × ${arms.length} arms`;
  printLines([
    `run ${runId}: ${counted(tasks.length, "task")} × ${profile.repeats}${times} = ${counted(each * arms.length, "trial")}, ${profile.concurrency} at once`,
    ...(shard === null ? [] : [`shard ${shard.index} of ${shard.count}: of ${counted(suite.tasks.length, "task")}`]),
    `data: ${bytes(sizes.reduce((sum, size) => sum + size, 0))}`,
    ...arms.flatMap((arm) => armLines(arm, each, arms.length > 1)),
    ...tasks.map((task, index) => `  ${task.task_id}  ${task.difficulty}  ${bytes(sizes[index] ?? 0)}`),
  ]);
}

function armLines({ name, profile }: Arm, trials: number, named: boolean): string[] {
  const { model, agent, limits } = profile;
  return [
    `${named ? `arm ${name}: ` : ""}model ${model.provider}/${model.name}, at most ${agent.max_steps} steps and ${limits.seconds} s a trial`,
    costLine(profile, trials),
  ];
}

/** Rough on purpose, and says so: what a trial of 8 steps with a growing conversation of about 6,000 tokens a step would cost. */
function costLine(profile: Profile, trials: number): string {
  if (profile.model.provider === "lexical") return "cost: none (embedded model)";
  const { price } = profile.model;
  if (price === null) return "cost: unknown (the profile has no model.price)";
  const perTrial = (8 * 6000 * price.input + 8 * 300 * price.output) / 1e6;
  const most =
    profile.limits.cost_usd === null
      ? ""
      : `, at most $${(profile.limits.cost_usd * trials).toFixed(2)} by limits.cost_usd`;
  return `cost: about $${(perTrial * trials).toFixed(2)} if a trial takes 8 steps of 6,000 input and 300 output tokens${most}`;
}
