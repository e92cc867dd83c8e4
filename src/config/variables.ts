import { type Environment, replaceVariables } from "../core/environment.js";
import type { Located, Problem, Scalar } from "./located.js";

/**
 * Below these keys a reference is checked but stays as it is written: their values may be secrets, the resolved profile
 * goes into the run's log, and the model puts the values in when it is made.
 */
const KEPT_AS_WRITTEN: readonly string[] = ["headers", "extra_body", "proxy"];

/**
 * Puts environment variables in. A plain (unquoted) scalar is read anew after that, so that `max_steps: ${STEPS:-8}` is
 * a number; a quoted one stays text.
 */
export function resolveVariables(node: Located, env: Environment, problems: Problem[], keep = false): Located {
  switch (node.kind) {
    case "list":
      return { ...node, items: node.items.map((item) => resolveVariables(item, env, problems, keep)) };
    case "map": {
      const entries = [...node.entries].map(([key, value]): [string, Located] => [
        key,
        resolveVariables(value, env, problems, keep || KEPT_AS_WRITTEN.includes(key)),
      ]);
      return { ...node, entries: new Map(entries) };
    }
    case "scalar": {
      if (typeof node.value !== "string" || !node.value.includes("${")) return node;
      const replaced = replaceVariables(node.value, env);
      problems.push(...replaced.problems.map((message) => ({ at: node.at, message })));
      if (keep) return node;
      return { ...node, value: node.quoted ? replaced.text : readScalar(replaced.text) };
    }
  }
}

/** A plain scalar's value by YAML's core schema. */
function readScalar(text: string): Scalar {
  if (/^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text === "null" || text === "" ? null : text;
}
