import type { Verifier } from "./verifiers.js";
import type { Entry, Pair, VerifyRequest, VerifyResponse } from "./verify-schema.js";

/** Everything that a request asks, by its verifiers: one verdict, or a pair of two verifiers' ones, or a list of either. */
export async function answerRequest(
  { task, accept, output }: VerifyRequest,
  verifiers: readonly Verifier[],
  signal: AbortSignal,
): Promise<VerifyResponse | Extract<Entry, { problem: unknown }>> {
  const judge = (one: string): Promise<Entry | Pair> => judged({ task, accept, output: one }, verifiers, signal);
  return typeof output === "string" ? judge(output) : { outputs: await Promise.all(output.map(judge)) };
}

async function judged(
  served: { readonly task: string; readonly accept: string | null; readonly output: string },
  verifiers: readonly Verifier[],
  signal: AbortSignal,
): Promise<Entry | Pair> {
  const entries = await Promise.all(verifiers.map((verifier) => verifier.verify(served, signal)));
  const [first, second] = entries;
  if (first === undefined) throw new Error("nobody was asked to verify");
  if (second === undefined) return first;
  const verdicts = verifiers.flatMap(({ name }, index) => {
    const entry = entries[index];
    return entry === undefined ? [] : [{ profile: name, ...entry }];
  });
  const disagree = "problem" in first || "problem" in second ? null : first.passed !== second.passed;
  return { disagree, verdicts };
}
