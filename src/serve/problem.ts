import type { Problem } from "./verify-schema.js";

/** Everything that can go wrong with a request, by its stable code. */
const PROBLEMS = {
  "malformed-json": [400, "The body is not JSON"],
  "invalid-request": [400, "The body is not a request to verify"],
  "bad-request": [400, "The request is not HTTP that can be read"],
  unauthorised: [401, "A bearer token is required"],
  "foreign-host": [403, "The request is meant for another host"],
  "not-found": [404, "There is nothing here"],
  "unknown-verifier": [404, "No verifier has that name"],
  "method-not-allowed": [405, "The method is not allowed here"],
  "request-timeout": [408, "The request took too long to arrive"],
  "body-too-large": [413, "The body is too large"],
  "not-json": [415, "The body must be application/json"],
  "headers-too-large": [431, "The headers are too large"],
  "client-left": [499, "The client left"],
  internal: [500, "The service has a bug"],
  "judge-malformed": [502, "The judge's reply is no verdict"],
  "judge-unavailable": [502, "The judge could not be asked"],
  busy: [503, "Too many requests are in hand"],
  stopping: [503, "The service is stopping"],
  "judge-timeout": [504, "The judge took too long"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

export function problem(code: ProblemCode, detail: string, errors?: Problem["errors"]): Problem {
  const [status, title] = PROBLEMS[code];
  return { type: "about:blank", title, status, code, detail, ...(errors === undefined ? {} : { errors }) };
}

export const PROBLEM_TYPE = "application/problem+json";

/** A problem as a response of its own. */
export function problemResponse(found: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(found), {
    status: found.status,
    headers: { "content-type": PROBLEM_TYPE, ...headers },
  });
}
