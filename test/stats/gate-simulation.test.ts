import { expect, it } from "vitest";
import { failureRates, MIXES } from "../../bench/gate-simulation.js";

/** Fewer than `npm run bench:gate` draws. */
const DRAWS = 1_000;
const SEED = 20_260_901;
const DEFAULT_GATE = [{ fail_on: "worse", margin: 0 }] as const;
const OTHER_GATES = [
  { fail_on: "any-drop", margin: 0 },
  { fail_on: "task-regression", margin: 0 },
] as const;

/** 5 % and two Monte-Carlo standard errors (spec/statistics.md). */
const MOST_FALSE_ALARMS = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / DRAWS);

it.each([
  { tasks: 50, mix: "mixed" },
  { tasks: 50, mix: "nearly deterministic" },
  { tasks: 12, mix: "mixed" },
] as const)("the default gate rarely raises a false alarm on $tasks × 3 unchanged $mix tasks", ({ tasks, mix }) => {
  const [rate] = failureRates(DEFAULT_GATE, { tasks, chances: MIXES[mix], drop: 0, draws: DRAWS, seed: SEED });
  expect(rate).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
});

it("the default gate finds a drop of 20 points on 50 × 3 tasks four times in five", () => {
  const [rate] = failureRates(DEFAULT_GATE, { tasks: 50, chances: MIXES.able, drop: 0.2, draws: DRAWS, seed: SEED });
  expect(rate).toBeGreaterThanOrEqual(0.8);
});

it("a gate on any drop alarms every other time, and one on flipped majorities nearly always, where nothing changed", () => {
  const rates = failureRates(OTHER_GATES, { tasks: 50, chances: MIXES.mixed, drop: 0, draws: DRAWS, seed: SEED });
  expect(rates[0]).toBeGreaterThan(0.4);
  expect(rates[1]).toBeGreaterThan(0.9);
});
