import type { ModelFailureClass } from "../../core/message.js";
import type { TrialOutcome } from "../../core/outcome.js";

/** What the official runner and the OpenAI client say of a failure, and what each is: the endpoint's trouble is never a wrong answer. */
const ENDPOINT: readonly (readonly [RegExp, Exclude<ModelFailureClass, "context-window">])[] = [
  [/Error code: 401|Error code: 403|invalid_api_key|Missing model API key/i, "auth"],
  [/Error code: 404/i, "not-found"],
  [/Error code: 429|rate.?limit/i, "rate-limit"],
  [/Error code: 5\d\d|Internal Server Error|Bad Gateway|Service Unavailable/i, "server"],
  [/Connection error|Connection refused|Connection reset|ConnectError|getaddrinfo/i, "connection"],
  [/Request timed out|ReadTimeout|APITimeoutError/i, "timeout"],
];
const MOST_CHARACTERS = 2000;

/** How a trial ended that brought no answer, by the words of the runner that ran it; null: it gave no reason. */
export function outcomeOfFailure(reason: string | null): TrialOutcome {
  if (reason === null || reason.trim() === "") return { kind: "no-answer", reason: "empty" };
  if (/within max_steps|max(?:imum)?[ _]steps/i.test(reason)) return { kind: "no-answer", reason: "max-steps" };
  if (/^Task timed out/i.test(reason)) return { kind: "limit-reached", limit: "seconds" };
  if (/context.?length|maximum context/i.test(reason)) return { kind: "limit-reached", limit: "context-window" };
  const message = reason.slice(0, MOST_CHARACTERS);
  const endpoint = ENDPOINT.find(([pattern]) => pattern.test(reason))?.[1];
  return endpoint === undefined
    ? { kind: "agent-error", reason: "crashed", message }
    : { kind: "infra-error", class: endpoint, message };
}
