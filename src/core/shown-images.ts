import type { ImageReference } from "./message.js";
import type { TrajectoryStep, TrialState } from "./state.js";

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

export const READ_CONTEXT_IMAGE = "read_context_image";

/** How many calls of the running turn ask for an image before this one, in the model's order, whatever came of them. */
export function imagesBefore({ history }: Pick<TrialState, "history">, callId: string): number {
  const said = history.findLast((message) => message.role === "assistant");
  const calls = said?.role === "assistant" ? said.tool_calls : [];
  const place = calls.findIndex(({ id }) => id === callId);
  return calls.slice(0, Math.max(0, place)).filter(({ name }) => name === READ_CONTEXT_IMAGE).length;
}
