import { UsageError } from "../core/errors.js";
import type { Located, LocatedMap, Origin } from "./located.js";
import { readYaml } from "./read-yaml.js";

/**
 * Reads `a.b=c` of `--set` into a layer with that one value, read as YAML. The flag's origin names the key and never
 * the value, which may be a secret by mistake. Throws UsageError.
 */
export function readOverride(text: string): LocatedMap {
  const equals = text.indexOf("=");
  const key = equals < 0 ? text : text.slice(0, equals);
  const [first = "", ...rest] = key.split(".");
  if (equals < 0 || first === "" || rest.includes("")) {
    throw new UsageError(`--set ${key}: write key=value with the key's full path, for example --set agent.max_steps=8`);
  }
  const at: Origin = { source: `--set ${key}`, line: null };
  const value = readYaml(text.slice(equals + 1), () => at);
  return wrap(
    first,
    rest.reduceRight<Located>((inner, part) => wrap(part, inner, at), value),
    at,
  );
}

const wrap = (key: string, value: Located, at: Origin): LocatedMap => ({
  kind: "map",
  at,
  entries: new Map([[key, value]]),
});
