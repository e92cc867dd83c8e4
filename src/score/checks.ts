import { readFile } from "node:fs/promises";
import path from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import type { LineRule } from "../answer/line-format.js";
import type { Connection, Connections } from "../context/connections/connection.js";
import type { ClaimCheck } from "../core/claim-check.js";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { unreadable } from "../core/unreadable.js";
import {
  type ConnectionEntry,
  checksSchema,
  knownKeys,
  type ScoringChecks,
  type VerifyEntry,
} from "./checks-schema.js";
import { gateRefusal, readLabels } from "./claim-labels.js";

/** A claim check of a task; as a gate, a red of it fails the trial. */
export interface VerifyCheck extends ClaimCheck {
  readonly gate: boolean;
  /** Absolute path of the file with its labels; null where the check names none. */
  readonly labels: string | null;
}

/** A task's own checks, beside its gold. `scoring` goes before the profile's options of the same names. */
export interface Checks {
  readonly scoring: ScoringChecks;
  readonly verify: readonly VerifyCheck[];
  readonly connections: Connections;
  readonly line_formats: readonly LineRule[];
}

export const NO_CHECKS: Checks = { scoring: {}, verify: [], connections: new Map(), line_formats: [] };

/**
 * Reads a checks.yaml; an empty one has no checks. Paths in it are relative to it. Throws UsageError, one line `file:line: …` a
 * problem; a claim check that is to be a gate without the labels for it is one.
 */
export async function readChecks(file: string): Promise<Checks> {
  const lines = new LineCounter();
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError(`${file}: ${unreadable(error)}`);
  });
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  if (document.errors.length > 0) {
    throw new UsageError(document.errors.map((error) => `${at(error.pos[0])}: ${error.message}`));
  }
  const refuse = (problems: readonly Described[]): never => {
    const placed = problems
      .map(({ path, message }) => ({ offset: offsetOf(document.contents, path), message }))
      .sort((a, b) => a.offset - b.offset);
    throw new UsageError(placed.map(({ offset, message }) => `${at(offset)}: ${message}`));
  };
  const checks = checksSchema.safeParse(document.toJS() ?? {});
  if (!checks.success) return refuse(checks.error.issues.flatMap(describeIssue));
  const { scoring = {}, verify, connections, line_formats } = checks.data;
  const refusals = await gateRefusals(verify, path.dirname(file));
  if (refusals.length > 0) refuse(refusals);
  return {
    scoring,
    verify: verify.map((entry) => verifyCheck(entry, file)),
    connections: new Map(Object.entries(connections).map(([name, entry]) => [name, connectionOf(entry, file)])),
    line_formats: line_formats.map((rule) => ({ ...rule, pattern: new RegExp(rule.pattern, "u") })),
  };
}

function verifyCheck(entry: VerifyEntry, file: string): VerifyCheck {
  const { min_labels, min_precision, ...check } = entry;
  const labels = entry.labels === undefined ? null : path.resolve(path.dirname(file), entry.labels);
  return { ...check, column: entry.column ?? null, labels };
}

function connectionOf(entry: ConnectionEntry, file: string): Connection {
  return entry.type === "postgres" ? entry : { ...entry, path: path.resolve(path.dirname(file), entry.path) };
}

async function gateRefusals(verify: readonly VerifyEntry[], folder: string): Promise<Described[]> {
  const refusals = await Promise.all(
    verify.map(async (check, index) => {
      if (!check.gate || check.labels === undefined) return [];
      const labels = await readLabels(path.resolve(folder, check.labels));
      const message = gateRefusal(check, labels);
      return message === null ? [] : [{ path: ["verify", index, "gate"], message }];
    }),
  );
  return refusals.flat();
}

interface Described {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describeIssue(issue: z.core.$ZodIssue): Described[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: issue.path, message: `${issue.path.join(".") || "checks"}: ${issue.message}` }];
  }
  const known = knownKeys(issue.path);
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
    const found: { key: unknown; value: unknown } | undefined = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === part)
      : isSeq(node)
        ? { key: node.items[Number(part)], value: node.items[Number(part)] }
        : undefined;
    if (found === undefined) break;
    offset = startOf(found.key) ?? offset;
    node = found.value;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;
}
