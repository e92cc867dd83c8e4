import { UsageError } from "../core/errors.js";
import { scorerVersion } from "../score/scorer.js";
import { toolSchemas } from "../tools/registry.js";
import type { Additions } from "./additions.js";

/** One line each, for the run's record: a run goes on only with what it began with. */
export function describeAdditions({ tools, scorers }: Additions): string[] {
  return [
    ...tools.map(({ schema }) => `tool ${schema.name}`),
    ...scorers.map(({ name, version }) => `scorer ${name} ${version}`),
  ];
}

/** Throws UsageError where a name is taken. */
export function checkAdditions({ tools, scorers }: Additions): void {
  const names = [...toolSchemas(true, true), ...tools.map(({ schema }) => schema)].map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  const own = scorers.map(({ name }) => name);
  const taken = new Set(own.filter((name, at) => scorerVersion(name) !== null || own.indexOf(name) !== at));
  const problems = [
    ...[...twice].map((name) => `there is a tool ${name} already: give yours another name`),
    ...[...taken].map((name) => `there is a scorer ${name} already: give yours another name`),
  ];
  if (problems.length > 0) throw new UsageError(problems);
}

/** What differs between the additions that a run began with and those of today, in words. */
export function changedAdditions(before: readonly string[], now: Additions): string[] {
  const today = describeAdditions(now);
  return [
    ...before
      .filter((one) => !today.includes(one))
      .map((one) => `the run has the ${one} of a program: resume it from that program`),
    ...today.filter((one) => !before.includes(one)).map((one) => `the ${one} is new since the run began`),
  ];
}
