import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import type { Arm } from "../core/profile.js";
import { globPattern } from "./select-tasks.js";

/** The arms that are to run: those that a name or glob (`*`, `?`) of `wanted` fits, all where there is none. Throws UsageError where one fits no arm. */
export function selectArms(arms: readonly [Arm, ...Arm[]], wanted: readonly string[]): readonly [Arm, ...Arm[]] {
  const names = arms.map(({ name }) => name);
  const problems = wanted
    .filter((one) => !names.some((name) => globPattern(one).test(name)))
    .map((one) => {
      const [meant] = nearest(one, names);
      const hint = meant === undefined ? `the arms are ${names.join(" · ")}` : `did you mean ${meant}?`;
      return `--arm ${one}: the profile has no such arm; ${hint}`;
    });
  if (problems.length > 0) throw new UsageError(problems);
  const [first, ...others] = arms.filter(({ name }) => wanted.some((one) => globPattern(one).test(name)));
  return first === undefined ? arms : [first, ...others];
}
