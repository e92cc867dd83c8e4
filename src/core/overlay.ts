import type { TrajectoryStep } from "./state.js";

export const OVERLAY_TYPES = ["VARCHAR", "BIGINT", "DOUBLE", "DATE"] as const;
/** DuckDB types that a table of the overlay may have. */
export type OverlayType = (typeof OVERLAY_TYPES)[number];

/**
 * A table that a tool made of the task's documents, for this trial only. It is whole in the tool's event, so that it stands again in
 * every query child that the trial is given, also after a kill.
 */
export interface OverlayTable {
  /** Unlike those of the context and of the overlay, ignoring case. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: OverlayType }[];
  /** Cells as text that casts to the column's type. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The tables that a trial's calls made so far, in the order of the calls. They are never changed, only added. */
export function overlayOf(trajectory: readonly TrajectoryStep[]): OverlayTable[] {
  return trajectory.flatMap(({ returns }) =>
    returns.flatMap((returned) =>
      returned.type === "tool-returned" && returned.table !== undefined ? [returned.table] : [],
    ),
  );
}
