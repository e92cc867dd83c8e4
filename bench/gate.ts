import { failureRates, MIXES, type SimulatedGate } from "./gate-simulation.js";
import { printCells } from "./table.js";

/**
 * `npm run bench:gate [draws]`: how often each gate fails where nothing changed (false alarms), and where every task got worse by 10 and
 * by 20 points (power), with three tries a task.
 */

const SEED = 20_260_901;
const DROPS = [0, 0.1, 0.2];
const SIZES = [12, 50];

const GATES: readonly (SimulatedGate & { readonly name: string })[] = [
  { name: "worse (default)", fail_on: "worse", margin: 0 },
  { name: "any-drop", fail_on: "any-drop", margin: 0 },
  { name: "any-drop --margin 5", fail_on: "any-drop", margin: 0.05 },
  { name: "task-regression", fail_on: "task-regression", margin: 0 },
];

const draws = Number(process.argv[2] ?? 5_000);
if (!Number.isInteger(draws) || draws < 1) throw new Error(`give a number of draws, not ${process.argv[2]}`);

const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`;
const rows: string[][] = [];
for (const tasks of SIZES) {
  for (const [mix, chances] of Object.entries(MIXES)) {
    const byDrop = DROPS.map((drop) => failureRates(GATES, { tasks, chances, drop, draws, seed: SEED }));
    for (const [position, { name }] of GATES.entries()) {
      rows.push([`${tasks} × 3`, mix, name, ...byDrop.map((rates) => percent(rates[position] ?? 0))]);
    }
  }
}
const error = Math.sqrt((0.05 * 0.95) / draws);
printCells([["tasks", "chances", "gate", "nothing changed", "−10 points", "−20 points"], ...rows]);
console.log(`\n${draws} comparisons each, seed ${SEED}; the standard error of a rate of 5 % is ${percent(error)}`);
