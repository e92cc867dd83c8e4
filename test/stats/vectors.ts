/** Passes of each task's repeats, as the specification writes them. */
function repeats(written: readonly string[]): number[][] {
  return written.map((task) => [...task].map(Number));
}

export const A = repeats(["111", "110", "100", "000", "111"]);
export const B = repeats(["111", "111", "110", "000", "110"]);
export const UNBALANCED = repeats(["111", "10", "000"]);

export function taskMeans(tasks: readonly (readonly number[])[]): number[] {
  return tasks.map((task) => task.reduce((sum, pass) => sum + pass, 0) / task.length);
}

export function passes(tasks: readonly (readonly number[])[]): { passes: number; valid: number }[] {
  return tasks.map((task) => ({ passes: task.reduce((sum, pass) => sum + pass, 0), valid: task.length }));
}

export function differences(base: readonly (readonly number[])[], head: readonly (readonly number[])[]): number[] {
  const before = taskMeans(base);
  return taskMeans(head).map((after, task) => after - (before[task] ?? Number.NaN));
}
