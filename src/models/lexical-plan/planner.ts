import type { ModelRequest } from "../../core/message.js";
import { openingOf, taggedAll } from "./plan-parts.js";

/** Tool calls of an execution: the strategy's own default. The first survey also lists the context. */
const CALLS = 5;
/** Sub-goals of a plan, the last of which computes. */
const MOST_SURVEYS = 5;

/**
 * The planner's role without a language model: look at the tables and documents, as many at a time as an execution has calls, then compute the
 * answer. The same request gives the same plan, also after that plan failed.
 */
export function plan(request: ModelRequest): object {
  const text = openingOf(request);
  const question = taggedAll(text, "question").at(-1) ?? "";
  const surveys = inParts(sourcesIn(taggedAll(text, "catalog")[0] ?? "")).map((part) => ({
    goal: `Look at ${part.join(", ")}`,
    accept: "names each of them, with the number of its rows where it is a table",
    tool_hint: SURVEY,
  }));
  const compute = {
    goal: `Compute by one query: ${question}`,
    accept: "says which query brings the answer, how many rows it has and what stands in the first one",
    tool_hint: COMPUTE,
  };
  return { sub_goals: [...surveys, compute] };
}

export const SURVEY = "get_table_profile";
const COMPUTE = "execute_probe_query";

/** `table "name"` and `document "path"`, in the catalog's order; knowledge.md is in every prompt. */
function sourcesIn(catalog: string): string[] {
  const tables = [...catalog.matchAll(/^table ("(?:[^"]|"")*"|\S+) \(/gm)].map(
    ([, name = ""]) => `table ${JSON.stringify(unquoted(name))}`,
  );
  const documents = [...catalog.matchAll(/^document (.+) \(\d+ characters\)$/gm)]
    .map(([, path = ""]) => path)
    .filter((path) => path !== "knowledge.md")
    .map((path) => `document ${JSON.stringify(path)}`);
  return [...tables, ...documents];
}

const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);

function inParts(sources: readonly string[]): string[][] {
  const parts = [sources.slice(0, CALLS - 1)];
  for (let start = CALLS - 1; start < sources.length && parts.length < MOST_SURVEYS; start += CALLS) {
    parts.push(sources.slice(start, start + CALLS));
  }
  return parts.map((part) => (part.length === 0 ? ["what the context holds"] : part));
}
