import { readFile } from "node:fs/promises";
import { isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { SCORER_NAMES } from "../core/profile.js";

const scoringSchema = z.strictObject({
  /** Scorers for this task beside the profile's. */
  scorers: z.array(z.enum(SCORER_NAMES)).optional(),
  penalty: z.number().min(0).max(1).optional(),
  names: z.enum(["accept", "strict"]).optional(),
  thousands: z.boolean().optional(),
  tolerance: z.number().min(0).optional(),
});
const checksSchema = z.strictObject({ scoring: scoringSchema.optional() });

/** A task's own checks, beside its gold. `scoring` goes before the profile's options of the same names. */
export type Checks = z.infer<typeof checksSchema>;

export const NO_CHECKS: Checks = {};

/** Reads a checks.yaml; an empty one has no checks. Throws UsageError, one line `file:line: …` a problem. */
export async function readChecks(file: string): Promise<Checks> {
  const lines = new LineCounter();
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  if (document.errors.length > 0) {
    throw new UsageError(document.errors.map((error) => `${at(error.pos[0])}: ${error.message}`));
  }
  const checks = checksSchema.safeParse(document.toJS() ?? {});
  if (checks.success) return checks.data;
  const problems = checks.error.issues
    .flatMap(describeIssue)
    .map(({ path, message }) => ({ offset: offsetOf(document.contents, path), message }))
    .sort((a, b) => a.offset - b.offset);
  throw new UsageError(problems.map(({ offset, message }) => `${at(offset)}: ${message}`));
}

interface Described {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describeIssue(issue: z.core.$ZodIssue): Described[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: issue.path, message: `${issue.path.join(".") || "checks"}: ${issue.message}` }];
  }
  const known = Object.keys(issue.path.length === 0 ? checksSchema.shape : scoringSchema.shape);
  return issue.keys.map((key) => {
    const [meant] = nearest(key, known);
    const advice = meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`;
    return { path: [...issue.path, key], message: `unknown key "${key}"; ${advice}` };
  });
}

/** Where the key or item at a path starts; for a path that is not there, its nearest ancestor. */
function offsetOf(root: Node | null, path: readonly PropertyKey[]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const part of path) {
    if (!isMap(node)) break;
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === part);
    if (pair === undefined) break;
    offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
    node = pair.value;
  }
  return offset;
}
