import { counted, percent } from "./numbers.js";

/** From so many failed requests on, and this share of all that were made, the report says that they are many. */
const MANY_FAILURES = 5;
const MANY_SHARE = 0.1;

/** Model requests by what came of them, retries included: `ok`, `cached` and each failure class. */
export type RequestCounts = Readonly<Record<string, number>>;

/** Counts of failures by class. */
export function failuresOf(requests: RequestCounts): RequestCounts {
  const { ok: _ok, cached: _cached, ...failures } = requests;
  return failures;
}

/** Whether so many requests failed that times and rates of the run say as much about the endpoint as about the agent. */
export function manyFailed(requests: RequestCounts): boolean {
  const failed = sum(failuresOf(requests));
  return failed >= MANY_FAILURES && failed / (failed + (requests.ok ?? 0)) > MANY_SHARE;
}

/** What there is to say of requests that failed, and of responses that nobody paid for. */
export function requestSentences(arm: {
  readonly requests: RequestCounts;
  readonly trials_with_failed_requests: number;
  readonly trials_with_cached_responses: number;
}): string[][] {
  const { requests } = arm;
  const failures = failuresOf(requests);
  const failed = sum(failures);
  const made = failed + (requests.ok ?? 0);
  const cached = requests.cached ?? 0;
  const list = Object.entries(failures).map(([name, count]) => `${name} ×${count}`);
  return [
    failed > 0
      ? [`failed requests: ${list.join(", ")}`, `in ${counted(arm.trials_with_failed_requests, "trial")}`]
      : [],
    manyFailed(requests)
      ? [
          `MANY FAILED REQUESTS: ${percent(failed / made)} of ${made}`,
          "times say more of the endpoint than of the agent",
        ]
      : [],
    cached > 0
      ? [
          `FROM THE RESPONSE CACHE: ${cached} of ${counted(cached + (requests.ok ?? 0), "response")}, in ${counted(arm.trials_with_cached_responses, "trial")}`,
          "paid for by an earlier run and not counted again",
          "such trials are no independent repeats of it",
        ]
      : [],
  ].filter((sentence) => sentence.length > 0);
}

const sum = (counts: RequestCounts): number => Object.values(counts).reduce((total, count) => total + count, 0);
