import type { ImageReference } from "./message.js";
import type { TrajectoryStep } from "./state.js";

/**
 * The images that the agent's next request shows: those that its last turn read, in the order of its calls. A request shows them once;
 * from the turn after it on only the tools' notes are left of them.
 */
export function imagesToShow(trajectory: readonly TrajectoryStep[]): readonly ImageReference[] {
  return imagesOf(trajectory.slice(-1));
}

/** The images that the model of the running turn has been shown in this trial: not those that the turn itself reads. */
export function imagesShown(trajectory: readonly TrajectoryStep[]): readonly ImageReference[] {
  return imagesOf(trajectory.slice(0, -1));
}

function imagesOf(steps: readonly TrajectoryStep[]): ImageReference[] {
  return steps.flatMap(({ returns }) =>
    returns.flatMap((returned) => (returned.type === "tool-returned" && returned.image ? [returned.image] : [])),
  );
}
