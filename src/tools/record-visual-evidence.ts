import { z } from "zod";
import { nearest } from "../core/nearest.js";
import { defineTool, failure } from "./tool.js";

const text = z.string().trim().min(1).max(2000);

/** `{"path", "sha256", "observation", "claim", "recorded": true}`. Refused for an image that the model has not been shown in this trial. */
export const recordVisualEvidence = defineTool({
  name: "record_visual_evidence",
  description:
    "Records a receipt of what you saw in an image that read_context_image has shown you, and for which claim of the answer you use it. Make one for each image that you looked at, before you submit.",
  args: z.strictObject({
    path: z.string().min(1).describe("the image's path, as it was read"),
    observation: text.describe("what can be seen in the image itself: texts, numbers, objects, positions"),
    claim: text.describe('what of the answer it supports; "none" where you do not use it'),
  }),
  rest: "the receipt is kept whole in your call",
  execute: async ({ path, observation, claim }, { shown_images }) => {
    const image = shown_images.findLast((one) => one.path === path);
    if (image !== undefined) {
      const content = { path, sha256: image.digest, observation, claim, recorded: true };
      return { ok: true, content, truncated: false };
    }
    const [near] = nearest(path, [...new Set(shown_images.map((one) => one.path))]);
    const hint =
      near === undefined ? "read it with read_context_image first and look at it" : `did you mean "${near}"?`;
    return failure("image-not-shown", `the image "${path}" has not been shown to you in this trial; ${hint}`);
  },
});
