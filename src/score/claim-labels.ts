import { readFile } from "node:fs/promises";
import { z } from "zod";
import { UsageError } from "../core/errors.js";
import { unreadable } from "../core/unreadable.js";

/** What a person says about one entity of one check. */
export interface ClaimLabel {
  readonly check: string;
  readonly entity: string;
  /** The entity really is a mismatch: the red is right. */
  readonly real: boolean;
  /** The check had found it. `false` is a miss that a person noticed. */
  readonly found: boolean;
  /** `task#k@arm`; null where the text was no trial's. */
  readonly trial: string | null;
}

const labelSchema = z.strictObject({
  check: z.string().min(1),
  entity: z.string().min(1),
  real: z.boolean(),
  found: z.boolean().default(true),
  trial: z.string().nullable().default(null),
});

/**
 * Reads a labels file: JSON Lines, `{"check","entity","real","found"?,"trial"?}`. Of labels of the same entity, check and trial
 * the last one counts. A file that is not there has no labels. Throws UsageError that names the line.
 */
export async function readLabels(file: string): Promise<readonly ClaimLabel[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new UsageError(`${file}: ${unreadable(error)}`);
  });
  const labels = new Map<string, ClaimLabel>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const label = parseLabel(line);
    if (typeof label === "string") throw new UsageError(`${file}:${index + 1}: is no label: ${label}`);
    labels.set(labelKey(label), label);
  }
  return [...labels.values()];
}

/** Equal for labels of the same thing. */
export function labelKey({ check, entity, trial }: Pick<ClaimLabel, "check" | "entity" | "trial">): string {
  return JSON.stringify([check, entity, trial]);
}

function parseLabel(line: string): ClaimLabel | string {
  try {
    const label = labelSchema.safeParse(JSON.parse(line));
    if (label.success) return label.data;
    return label.error.issues.map(({ path, message }) => `${path.join(".") || "label"}: ${message}`).join("; ");
  } catch {
    return "it is not JSON";
  }
}

/** A check that wants to be a gate, and what it must show for it. */
export interface LabelledCheck {
  readonly name: string;
  readonly min_labels: number;
  readonly min_precision: number;
}

/** Right and labelled reds of one check. */
export interface LabelCounts {
  /** Labels of reds. */
  readonly labels: number;
  /** Reds that are real mismatches. */
  readonly real: number;
  /** Real mismatches that the check had not found. */
  readonly missed: number;
}

export function countLabels(check: string, labels: readonly ClaimLabel[]): LabelCounts {
  const own = labels.filter((label) => label.check === check);
  const reds = own.filter(({ found }) => found);
  return {
    labels: reds.length,
    real: reds.filter(({ real }) => real).length,
    missed: own.filter(({ found, real }) => real && !found).length,
  };
}

/** Share of labelled reds that are real; null without labels. */
export function precisionOf({ labels, real }: LabelCounts): number | null {
  return labels === 0 ? null : real / labels;
}

/** Share of known real mismatches that were found; null where none is known. */
export function recallOf({ real, missed }: LabelCounts): number | null {
  return real + missed === 0 ? null : real / (real + missed);
}

/** Why a check may not be a gate, with the numbers; null where it may (seed 2: lights first, no death sentence). */
export function gateRefusal(check: LabelledCheck, labels: readonly ClaimLabel[]): string | null {
  const counts = countLabels(check.name, labels);
  const precision = precisionOf(counts);
  if (precision !== null && counts.labels >= check.min_labels && precision >= check.min_precision) return null;
  const shown =
    precision === null ? "unknown" : `${precision.toFixed(3)} (${counts.real} of ${counts.labels} reds real)`;
  return `"${check.name}" cannot be a gate yet: it has ${counts.labels} labels of at least ${check.min_labels}, precision ${shown} of at least ${check.min_precision}`;
}
