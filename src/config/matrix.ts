import { UsageError } from "../core/errors.js";
import { isArmName, MAIN_ARM } from "../core/identity.js";
import { type Located, type LocatedMap, mergeMaps, type Origin, type Problem, problemLines } from "./located.js";

/** An arm before its keys are checked. */
export interface ArmLayers {
  readonly name: string;
  readonly root: LocatedMap;
}

/** A key that arms differ in, and its values. */
interface Axis {
  readonly path: readonly string[];
  readonly at: Origin;
  readonly values: readonly { readonly name: string; readonly value: Located }[];
}

/** Keys that belong to the run as a whole: arms that differed in them could not stand side by side. */
const OF_THE_RUN: readonly string[] = [
  "name",
  "repeats",
  "concurrency",
  "seed",
  "scoring",
  "gate",
  "limits.run_seconds",
  "claims.checks",
  "extends",
  "matrix",
];

/** So many arms are a slip of the hand, not a plan. */
const MOST_ARMS = 1000;

/** Characters of one value in an arm's name. */
const MOST_OF_A_VALUE = 40;

/**
 * The arms of a profile: one, `main`, without a `matrix`; else one for each combination of the matrix's values, the last key changing fastest. A
 * key is a dotted path (`model.temperature: [0, 0.2]`), or sections within each other; maps as values are laid over what the profile has there. An arm
 * is named after its values, `strategy=react,temperature=0.2`, by the last parts of the keys where these differ, and the name can be a folder's. Throws UsageError.
 */
export function expandMatrix(profile: LocatedMap): readonly ArmLayers[] {
  const matrix = profile.entries.get("matrix");
  if (matrix === undefined) return [{ name: MAIN_ARM, root: profile }];
  const entries = new Map(profile.entries);
  entries.delete("matrix");
  const base: LocatedMap = { ...profile, entries };
  const axes = axesOf(matrix);
  const labels = labelsOf(axes);
  const arms = axes.reduce<readonly ArmLayers[]>(
    (before, axis, index) =>
      before.flatMap((arm) =>
        axis.values.map(({ name, value }) => ({
          name: `${arm.name}${arm.name === "" ? "" : ","}${labels[index]}=${name}`,
          root: mergeMaps(arm.root, layerOf(axis, value)),
        })),
      ),
    [{ name: "", root: base }],
  );
  const problems = nameProblems(arms.map(({ name }) => name));
  if (problems.length === 0) return arms;
  throw new UsageError(problemLines(problems.map((message) => ({ at: matrix.at, message }))));
}

function nameProblems(names: readonly string[]): string[] {
  const long = names.find((name) => !isArmName(name));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return [
    ...(long === undefined ? [] : [`the matrix makes names of arms that are too long for a folder: ${long}`]),
    ...(twice === undefined ? [] : [`the matrix makes two arms called ${twice}: write its values so that they differ`]),
  ];
}

function axesOf(matrix: Located): readonly Axis[] {
  const problems: Problem[] = [];
  const axes = leavesOf(matrix, [], matrix.at).flatMap(({ path, at, node }): Axis[] => {
    const key = path.join(".");
    const wrong = axisProblem(key, node);
    if (wrong !== null) problems.push({ at, message: wrong });
    if (node.kind !== "list" || wrong !== null) return [];
    return [{ path, at, values: valuesOf(node.items) }];
  });
  const arms = axes.reduce((product, { values }) => product * values.length, 1);
  if (arms > MOST_ARMS)
    problems.push({ at: matrix.at, message: `the matrix makes ${arms} arms; at most ${MOST_ARMS}` });
  if (problems.length > 0) throw new UsageError(problemLines(problems));
  return axes;
}

interface Leaf {
  readonly path: readonly string[];
  readonly at: Origin;
  readonly node: Located;
}

function leavesOf(node: Located, path: readonly string[], at: Origin): readonly Leaf[] {
  if (node.kind !== "map" || node.entries.size === 0) return [{ path, at, node }];
  return [...node.entries].flatMap(([key, inner]) => leavesOf(inner, [...path, ...key.split(".")], inner.at));
}

function axisProblem(key: string, node: Located): string | null {
  if (key === "") return "matrix must be a map of keys to lists of values, for example { model.temperature: [0, 0.2] }";
  if (OF_THE_RUN.some((one) => key === one || key.startsWith(`${one}.`))) {
    return `matrix.${key}: arms of one run cannot differ in ${key}; start a run for each value and compare them with diff`;
  }
  if (node.kind !== "list" || node.items.length === 0) return `matrix.${key} must be a list of at least one value`;
  return null;
}

/** The last part of each key; the whole key where two end alike. */
function labelsOf(axes: readonly Axis[]): readonly string[] {
  const last = axes.map(({ path }) => path.at(-1) ?? "");
  return axes.map(({ path }, index) => {
    const own = last[index] ?? "";
    return safe(last.filter((one) => one === own).length > 1 ? path.join(".") : own);
  });
}

/** Values with a name each; one that another value has already gets its position too. */
function valuesOf(items: readonly Located[]): Axis["values"] {
  const names = items.map((item, index) => nameOf(item, index));
  return items.map((value, index) => {
    const name = names[index] ?? "";
    return { value, name: names.indexOf(name) === index ? name : `${name}-${index + 1}` };
  });
}

/** A plain value as it is written, a map's `name`, else the position. */
function nameOf(item: Located, index: number): string {
  const named = item.kind === "map" ? item.entries.get("name") : item;
  return (named?.kind === "scalar" ? safe(String(named.value)) : "") || String(index + 1);
}

/** What of a text can stand in a folder's name. */
const safe = (text: string): string =>
  [...text.replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, "-")]
    .slice(0, MOST_OF_A_VALUE)
    .join("")
    .replaceAll(/^-+|-+$/g, "");

const layerOf = ({ path, at }: Axis, value: Located): LocatedMap => {
  const [first = "", ...rest] = path;
  const inner = rest.reduceRight<Located>((held, key) => ({ kind: "map", at, entries: new Map([[key, held]]) }), value);
  return { kind: "map", at, entries: new Map([[first, inner]]) };
};
