import type { z } from "zod";
import { type Environment, isSecretValue } from "../core/environment.js";
import { nearest } from "../core/nearest.js";
import { type Located, originOf, type Problem } from "./located.js";
import { knownKeys } from "./profile-schema.js";

/** Names of things that are secret; `tokens` are counted, a `token` is not. */
const SECRET_KEY = /(api[-_]?key|(^|[-_])token|secret|password|passwd|authorization|credentials?)$/i;
const KEY_ADVICE = "set an environment variable and name it in model.api_key_env";

/** What zod found, in words for a person: what, at which key, what is allowed; never a value that may be a secret. */
export function schemaProblems(root: Located, issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ at: originOf(root, [...issue.path, key]), message: unknownKey(issue.path, key) }))
      : [{ at: originOf(root, issue.path), message: wrongValue(root, issue) }],
  );
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  const place = path.length === 0 ? "" : ` in ${path.join(".")}`;
  const [meant] = nearest(key, knownKeys(path));
  if (meant !== undefined) return `unknown key "${key}"${place}; did you mean "${meant}"?`;
  if (SECRET_KEY.test(key)) return `a profile holds no keys: take "${key}" out, ${KEY_ADVICE}`;
  const home = knownKeys([]).find((name) => knownKeys([name]).includes(key));
  if (home !== undefined) return `unknown key "${key}"${place}; it belongs in ${home}`;
  return `unknown key "${key}"${place}; known are ${knownKeys(path).join(", ")}`;
}

function wrongValue(root: Located, issue: z.core.$ZodIssue): string {
  const name = issue.path.join(".") || "the profile";
  const found = valueAt(root, issue.path);
  if (found === undefined) return `${name} is missing: give ${issue.message}`;
  const meant =
    issue.code === "invalid_value" && found.kind === "scalar"
      ? nearest(String(found.value), issue.values.map(String))
      : [];
  const hint = meant[0] === undefined ? "" : `; did you mean "${meant[0]}"?`;
  return `${name} must be ${issue.message}, not ${shown(found, issue)}${hint}`;
}

function valueAt(root: Located, path: readonly PropertyKey[]): Located | undefined {
  let node: Located | undefined = root;
  for (const key of path) {
    if (node?.kind === "map") node = node.entries.get(String(key));
    else if (node?.kind === "list") node = node.items[Number(key)];
    else return undefined;
  }
  return node;
}

/** Text is quoted only where a name or a number belongs: where free text belongs it may be a key in the wrong place. */
function shown(node: Located, issue: z.core.$ZodIssue): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "list") return "a list";
  if (typeof node.value !== "string") return String(node.value);
  const harmless = issue.code === "invalid_type" || issue.code === "invalid_value";
  return harmless && node.value.length <= 20 ? JSON.stringify(node.value) : "this text";
}

const looksLikeKey = (text: string): boolean => /\b(sk|pk|rk|gh[opsu]|xox[a-z])[-_][A-Za-z0-9_-]{16,}/.test(text);

/**
 * Keys that stand in a profile as plain text: in a header or body member that is there for keys, or a value that is the
 * value of `api_key_env`'s variable. The profile goes into the log, hence none may pass.
 */
export function secretProblems(root: Located, env: Environment): Problem[] {
  const variable = valueAt(root, ["model", "api_key_env"]);
  const name = variable?.kind === "scalar" && typeof variable.value === "string" ? variable.value : "";
  const value = env[name] ?? "";
  const key = isSecretValue(value) ? value : null;
  return texts(root, []).flatMap(({ node, path, text }) => {
    const at = node.at;
    if (key !== null && text.includes(key)) {
      return [{ at, message: `the value of ${name} stands in ${path.join(".")}: take it out, api_key_env is enough` }];
    }
    if (text.includes("${")) return [];
    const inside = path.some((part) => part === "headers" || part === "extra_body");
    if (!looksLikeKey(text) && !(inside && SECRET_KEY.test(path.at(-1) ?? ""))) return [];
    const advice = inside ? `${KEY_ADVICE}, or write \${VARIABLE} here` : KEY_ADVICE;
    return [{ at, message: `${path.join(".")} holds a key as plain text: take it out, ${advice}` }];
  });
}

function texts(
  node: Located,
  path: readonly string[],
): { readonly node: Located; readonly path: readonly string[]; readonly text: string }[] {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "string" ? [{ node, path, text: node.value }] : [];
    case "list":
      return node.items.flatMap((item, index) => texts(item, [...path, String(index)]));
    case "map":
      return [...node.entries].flatMap(([key, value]) => texts(value, [...path, key]));
  }
}
