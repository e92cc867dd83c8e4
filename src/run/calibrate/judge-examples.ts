import pLimit from "p-limit";
import type { ChatModel } from "../../core/ports/chat-model.js";
import type { Profile } from "../../core/profile.js";
import { askOnce } from "../../models/ask-once.js";
import type { Example, RuledExample, Ruling } from "../../validate/calibration/example.js";
import { rule } from "../../validate/calibration/rule.js";

export interface ExampleJudging {
  readonly profile: Profile;
  /** Goes to the model of each request's purpose. */
  readonly model: ChatModel;
  /** How often the judge is asked about each example, with another seed each time. */
  readonly repeats: number;
  readonly signal: AbortSignal;
}

/**
 * Has every example judged, as many at once as the profile's `concurrency` says, in their order. Where code decides nobody is asked, and once is
 * enough. Rejects with the signal's reason when it is aborted.
 */
export async function judgeExamples(
  examples: readonly Example[],
  { profile, model, repeats, signal }: ExampleJudging,
): Promise<readonly RuledExample[]> {
  const slot = pLimit(profile.concurrency);
  const ask = async (example: Example, repeat: number): Promise<Ruling> => {
    const seed = profile.seed + repeat;
    const next = rule(example.judged, profile, seed, null);
    if (next.kind !== "ask") return next;
    const said = await askOnce(model, next.request, { signal, asked_before: repeat });
    if (!said.ok) return { kind: "unheard", error: said.error };
    const ruled = rule(example.judged, profile, seed, said);
    if (ruled.kind === "ask") throw new Error(`${example.at}: the judge answered and is asked again`);
    return ruled;
  };
  return Promise.all(
    examples.map(async (example) => {
      const isAsked = rule(example.judged, profile, profile.seed, null).kind === "ask";
      const times = Array.from({ length: isAsked ? repeats : 1 }, (_, repeat) => repeat);
      return { example, rulings: await Promise.all(times.map((repeat) => slot(ask, example, repeat))) };
    }),
  );
}
