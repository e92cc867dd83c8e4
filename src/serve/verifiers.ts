import pLimit from "p-limit";
import { UsageError } from "../core/errors.js";
import { languageOf } from "../core/language.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Profile } from "../core/profile.js";
import { askOnce } from "../models/ask-once.js";
import { verifierVersion } from "../validate/verification/verifier-version.js";
import { type VerifiedOutput, verifyOutput } from "../validate/verification/verify-output.js";
import { problem } from "./problem.js";
import type { Entry } from "./verify-schema.js";

/** A verifier that is kept: a profile's judge and thresholds. */
export interface Verifier {
  readonly name: string;
  readonly version: string;
  /** A verdict, or why there is none. Rejects with the signal's reason when it is aborted. */
  verify(output: ServedOutput, signal: AbortSignal): Promise<Entry>;
}

export interface ServedOutput {
  readonly task: string;
  readonly accept: string | null;
  readonly output: string;
}

/** Structure and goal, not evidence: the service does not get to see what an output could cite. */
const SERVED: Pick<VerifiedOutput, "sub_goal" | "expects" | "evidence"> = {
  sub_goal: null,
  expects: { parts: [], citations: false, lines: [] },
  evidence: null,
};

/**
 * The verifiers of some profiles, the first of which is the default; as many of one are at work as its profile's `concurrency` says. Throws
 * UsageError where two have one name, by which they are asked for, or are one and the same verifier.
 */
export function keepVerifiers(
  profiles: readonly Profile[],
  models: ReadonlyMap<string, ChatModel>,
): readonly [Verifier, ...Verifier[]] {
  const kept: Verifier[] = [];
  for (const profile of profiles) {
    const model = models.get(profile.name);
    if (model === undefined) throw new Error(`no model for ${profile.name}`);
    const version = verifierVersion(profile);
    const same = kept.find((other) => other.name === profile.name || other.version === version);
    if (same?.name === profile.name)
      throw new UsageError(`two profiles are named "${profile.name}": give one another name`);
    if (same !== undefined)
      throw new UsageError(`${same.name} and ${profile.name} are one verifier, ${version}: leave one out`);
    kept.push(verifierOf(profile, version, model));
  }
  const [first, ...others] = kept;
  if (first === undefined) throw new UsageError("name a profile whose verifier to serve");
  return [first, ...others];
}

function verifierOf(profile: Profile, version: string, model: ChatModel): Verifier {
  const slot = pLimit(profile.concurrency);
  return {
    name: profile.name,
    version,
    verify: async (served, signal) => {
      const output = { ...SERVED, ...served };
      const setting = { profile, language: languageOf(served.task), seed: profile.seed };
      const first = verifyOutput(output, setting, null);
      if (first.kind === "verdict")
        return { ...first.verdict, findings: [...first.verdict.findings], verifier_version: version };
      if (first.kind === "malformed") throw new Error("a verification was malformed before anyone was asked");
      const said = await slot(() => {
        signal.throwIfAborted();
        return askOnce(model, first.request, { signal, asked_before: 0 });
      });
      if (!said.ok) return { problem: problem("judge-unavailable", said.error) };
      const judged = verifyOutput(output, setting, said);
      if (judged.kind === "ask") throw new Error("the judge answered and is asked again");
      if (judged.kind === "malformed") return { problem: problem("judge-malformed", judged.error) };
      return { ...judged.verdict, findings: [...judged.verdict.findings], verifier_version: version };
    },
  };
}
