import { digestOf } from "../core/digest.js";
import type { Environment } from "../core/environment.js";
import { UsageError } from "../core/errors.js";
import type { Arm, Profile } from "../core/profile.js";
import { type LocatedMap, mergeMaps, type Problem, plainValue, problemLines } from "./located.js";
import { expandMatrix } from "./matrix.js";
import { readOverride } from "./override.js";
import { readLayers } from "./profile-layers.js";
import { schemaProblems, secretProblems } from "./profile-problems.js";
import { profileSchema } from "./profile-schema.js";
import { resolveVariables } from "./variables.js";

export interface ProfileOptions {
  /** A YAML file, or the name of a profile in the package's `configs/` (`openai`); null: `builtin`. */
  readonly file: string | null;
  /** Of `--set`: `a.b=c`, the value read as YAML. Later ones win. */
  readonly overrides: readonly string[];
  readonly env: Environment;
}

/**
 * The arms of a run, each with its whole profile: the file's layers (`extends`, lowest first), then the overrides, then the arm's values of the
 * `matrix`, then environment variables, then defaults. One arm, `main`, without a matrix. Throws UsageError with every problem as one line,
 * `file:line: what, and what is allowed`.
 */
export async function loadArms(options: ProfileOptions): Promise<readonly [Arm, ...Arm[]]> {
  const layers = await readLayers(options.file ?? "builtin");
  const merged = [...layers, ...options.overrides.map(readOverride)].reduce(mergeMaps);
  const problems: Problem[] = [];
  const arms = expandMatrix(merged).flatMap(({ name, root }): Arm[] => {
    const profile = readProfile(root, options.env, problems);
    return profile === null ? [] : [{ name, profile }];
  });
  const [first, ...others] = arms;
  if (first === undefined || problems.length > 0) throw new UsageError(problemLines(problems));
  return [first, ...others];
}

/** The profile of a command that has no use for arms. Throws UsageError as `loadArms` does, and where there is a matrix. */
export async function loadProfile(options: ProfileOptions): Promise<Profile> {
  const [{ profile }, ...others] = await loadArms(options);
  if (others.length === 0) return profile;
  throw new UsageError(
    `${options.file}: the profile has a matrix of ${others.length + 1} arms; one without a matrix is needed here`,
  );
}

/** Null where there are problems, which are added to `problems`. */
function readProfile(merged: LocatedMap, env: Environment, problems: Problem[]): Profile | null {
  const unset: Problem[] = [];
  const root = resolveVariables(merged, env, unset);
  const read = profileSchema.safeParse(plainValue(root));
  const wrong = read.success ? [] : schemaProblems(root, read.error.issues);
  const found = firstOfEachPlace([unset, wrong, secretProblems(root, env)]);
  problems.push(...found);
  return read.success && found.length === 0 ? read.data : null;
}

/** A place that one group finds fault with is left out of the groups after it: an unset variable is not a wrong type too. */
function firstOfEachPlace(groups: readonly (readonly Problem[])[]): Problem[] {
  return groups.flatMap((group, index) => {
    const before = new Set(groups.slice(0, index).flatMap((earlier) => earlier.map(({ at }) => at)));
    return group.filter(({ at }) => !before.has(at));
  });
}

/**
 * Digest of everything in a run's arms that can change what a trial does or how it is scored: equal digests, comparable
 * runs. The profile's name, how many trials run at once, and the gate are left out.
 */
export function armsDigest(arms: readonly [Arm, ...Arm[]]): string {
  const [first, ...others] = arms;
  if (others.length === 0) return profileDigest(first.profile);
  return digestOf(arms.map(({ name, profile }) => [name, profileDigest(profile)]));
}

/** The same of one arm. */
export function profileDigest(profile: Profile): string {
  const { name: _name, concurrency: _concurrency, gate: _gate, ...rest } = profile;
  return digestOf(rest);
}
