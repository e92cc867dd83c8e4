import type { z } from "zod";
import { nearest } from "../core/nearest.js";

const SHOWN_ISSUES = 3;

/** What is wrong with a call's arguments, in one line that names each argument. `known` are the tool's own arguments. */
export function argumentTrouble(tool: string, known: readonly string[], error: z.ZodError): string {
  const said = error.issues.slice(0, SHOWN_ISSUES).map((issue) => issueText(issue, known));
  const expected = known.length === 0 ? "it takes no arguments" : `its arguments are ${known.join(", ")}`;
  return `${tool}: ${said.join("; ")} (${expected})`;
}

function issueText(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const at = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => {
      const [near] = issue.path.length === 0 ? nearest(key, known) : [];
      return near === undefined ? `"${key}"` : `"${key}" (did you mean "${near}"?)`;
    });
    return `${at === "" ? "there is" : `${at} has`} no argument ${names.join(", ")}`;
  }
  if (at === "") return "the arguments must be one JSON object";
  if (issue.code === "invalid_type" && issue.input === undefined && /received undefined$/.test(issue.message)) {
    return `the argument ${at} is missing: ${issue.message.replace(/^Invalid input: /, "").replace(", received undefined", "")}`;
  }
  return `the argument ${at} does not fit: ${issue.message.replace(/^Invalid (input|option): /, "")}`;
}

/** `tool_args.queries[0]` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}
