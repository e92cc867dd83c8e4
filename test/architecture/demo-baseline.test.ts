import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadSuite } from "../../src/config/load-suite.js";
import { readRunLog } from "../../src/run/log/run-log.js";
import { planTask } from "../../src/run/plan.js";
import { readRunState } from "../../src/run/run-state.js";
import { scorerVersion } from "../../src/score/scorer.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HOW = "save the baseline anew and commit it in the same commit: npm run build && npm run demo:save";

/** A task that the baseline does not know, or knows otherwise, is left out of the comparison in .ci/run: nobody would miss it. */
it("the committed baseline is one of today's demo tasks, golds and scorers", async () => {
  const baseline = await readRunState(readRunLog(`${ROOT}runs/baselines/demo.jsonl`, () => {}));
  const saved = new Map(baseline.start.tasks.map((task) => [task.task_id, task]));
  const { tasks } = await loadSuite(`${ROOT}tasks/demo`);
  const stale: string[] = [];
  for (const task of await Promise.all(tasks.map(planTask))) {
    const before = saved.get(task.task_id);
    saved.delete(task.task_id);
    if (before === undefined) stale.push(`${task.task_id} is new`);
    else if (before.input_digest !== task.input_digest) stale.push(`the input of ${task.task_id} changed`);
    else if (before.gold_digest !== task.gold_digest) stale.push(`gold or checks of ${task.task_id} changed`);
  }
  for (const gone of saved.keys()) stale.push(`${gone} is gone`);
  for (const [scorer, { scorer_version }] of [...baseline.scores.values()].flatMap((scores) => [...scores])) {
    if (scorerVersion(scorer) !== scorer_version) stale.push(`scorer ${scorer} is another version`);
  }
  expect([...new Set(stale)], HOW).toEqual([]);
});
