import { decideGate, type FailOn, type GateTask } from "../src/report/diff/diff-gate.js";
import { mulberry32 } from "../src/stats/random.js";

const REPEATS = 3;

/** Chances of a trial to pass, dealt out over the tasks. */
export const MIXES = {
  /** From hopeless to certain. */
  mixed: [0.05, 0.2, 0.5, 0.8, 0.95],
  /** What a temperature of 0.2 does to most agents: nearly every task always passes or never does. */
  "nearly deterministic": [0, 0, 0, 0.02, 0.98, 1, 1, 1],
  /** Room for a fall of 20 points everywhere. */
  able: [0.4, 0.6, 0.8, 1],
} as const satisfies Record<string, readonly number[]>;

export interface SimulatedGate {
  readonly fail_on: FailOn;
  /** 0 … 1. */
  readonly margin: number;
}

export interface Simulation {
  /** Each tried three times on both sides. */
  readonly tasks: number;
  readonly chances: readonly number[];
  /** By how much each task's chance falls in head, not below 0; 0: nothing changed and every failure is a false alarm. */
  readonly drop: number;
  /** Comparisons. */
  readonly draws: number;
  readonly seed: number;
}

/** How often each gate fails, 0 … 1, in the gates' order: all of them see the same comparisons. */
export function failureRates(gates: readonly SimulatedGate[], simulation: Simulation): number[] {
  const { tasks, chances, drop, draws, seed } = simulation;
  const random = mulberry32(seed);
  const failures = gates.map(() => 0);
  for (let draw = 0; draw < draws; draw++) {
    const drawn = Array.from({ length: tasks }, (_, task) =>
      drawTask(`task_${task}`, chances[task % chances.length] ?? 0, drop, random),
    );
    for (const [position, gate] of gates.entries()) {
      const { failed } = decideGate({ tasks: drawn, head: new Map() }, { ...gate, must_pass: [] });
      if (failed) failures[position] = (failures[position] ?? 0) + 1;
    }
  }
  return failures.map((count) => count / draws);
}

function drawTask(task_id: string, chance: number, drop: number, random: () => number): GateTask {
  const base = passesOf(chance, random);
  const head = passesOf(Math.max(chance - drop, 0), random);
  return {
    task_id,
    base: { passes: base, scored: REPEATS },
    head: { passes: head, scored: REPEATS },
    base_mean: base / REPEATS,
    change: (head - base) / REPEATS,
  };
}

function passesOf(chance: number, random: () => number): number {
  let passes = 0;
  for (let repeat = 0; repeat < REPEATS; repeat++) if (random() < chance) passes++;
  return passes;
}
