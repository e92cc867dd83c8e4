import { describe, expect, it } from "vitest";
import { mulberry32 } from "../../src/stats/random.js";
import { oneSidedTest } from "../../src/stats/verdict.js";

const DRAWS = 1_000;
const REPEATS = 3;

/** Chances of passing, from hopeless to certain, dealt out over the tasks. */
const MIXED = [0.05, 0.2, 0.5, 0.8, 0.95];
const NEARLY_DETERMINISTIC = [0, 0, 0, 0.02, 0.98, 1, 1, 1];

/** How often the gate calls head worse, when each task's chance falls by `drop` (not below 0). */
function alarmRate(tasks: number, chances: readonly number[], drop: number): number {
  const random = mulberry32(20_260_901);
  const rate = (chance: number) => {
    let passes = 0;
    for (let repeat = 0; repeat < REPEATS; repeat++) if (random() < chance) passes++;
    return passes / REPEATS;
  };
  let alarms = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const differences = Array.from({ length: tasks }, (_, task) => {
      const chance = chances[task % chances.length] ?? 0;
      return rate(Math.max(chance - drop, 0)) - rate(chance);
    });
    if (oneSidedTest(differences, "worse").holds) alarms++;
  }
  return alarms / DRAWS;
}

const MOST_FALSE_ALARMS = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / DRAWS);

describe("the default gate in a simulation of 1,000 comparisons", () => {
  it.each([
    { tasks: 50, kind: "mixed", chances: MIXED },
    { tasks: 50, kind: "nearly deterministic", chances: NEARLY_DETERMINISTIC },
    { tasks: 12, kind: "mixed", chances: MIXED },
  ])("rarely raises a false alarm on $tasks × 3 unchanged $kind tasks", ({ tasks, chances }) => {
    expect(alarmRate(tasks, chances, 0)).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
  });

  it("finds a drop of 20 points on 50 × 3 tasks four times in five", () => {
    expect(alarmRate(50, [0.4, 0.6, 0.8, 1], 0.2)).toBeGreaterThanOrEqual(0.8);
  });
});
