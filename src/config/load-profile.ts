import { digestOf } from "../core/digest.js";
import type { Environment } from "../core/environment.js";
import { UsageError } from "../core/errors.js";
import type { Profile } from "../core/profile.js";
import { mergeMaps, type Problem, plainValue, problemLines } from "./located.js";
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
 * The profile of a run: the file's layers (`extends`, lowest first), then the overrides, then environment variables,
 * then defaults. Throws UsageError with every problem as one line, `file:line: what, and what is allowed`.
 */
export async function loadProfile(options: ProfileOptions): Promise<Profile> {
  const layers = await readLayers(options.file ?? "builtin");
  const merged = [...layers, ...options.overrides.map(readOverride)].reduce(mergeMaps);
  const unset: Problem[] = [];
  const root = resolveVariables(merged, options.env, unset);
  const read = profileSchema.safeParse(plainValue(root));
  const wrong = read.success ? [] : schemaProblems(root, read.error.issues);
  const problems = firstOfEachPlace([unset, wrong, secretProblems(root, options.env)]);
  if (read.success && problems.length === 0) return read.data;
  throw new UsageError(problemLines(problems));
}

/** A place that one group finds fault with is left out of the groups after it: an unset variable is not a wrong type too. */
function firstOfEachPlace(groups: readonly (readonly Problem[])[]): Problem[] {
  return groups.flatMap((group, index) => {
    const before = new Set(groups.slice(0, index).flatMap((earlier) => earlier.map(({ at }) => at)));
    return group.filter(({ at }) => !before.has(at));
  });
}

/**
 * Digest of everything in a profile that can change what a trial does or how it is scored: equal digests, comparable
 * runs. Its name, how many trials run at once, and the gate are left out.
 */
export function profileDigest(profile: Profile): string {
  const { name: _name, concurrency: _concurrency, gate: _gate, ...rest } = profile;
  return digestOf(rest);
}
