import { type Context, Hono } from "hono";
import { linkedSignal } from "../core/linked-signal.js";
import { answerRequest } from "./answer.js";
import { carriesToken } from "./bearer-token.js";
import type { ServiceLimits } from "./limits.js";
import { namesLoopback } from "./loopback.js";
import { openApiDocument } from "./openapi.js";
import { type ProblemCode, problem, problemResponse } from "./problem.js";
import { readBody } from "./read-body.js";
import type { Verifier } from "./verifiers.js";
import { type Problem, type VerifyRequest, verifyRequestSchema } from "./verify-schema.js";

/** What a service is made of. */
export interface ServiceParts {
  /** The first is the default. */
  readonly verifiers: readonly [Verifier, ...Verifier[]];
  /** Null: none is asked for, and then only the machine's own names are served. */
  readonly token: string | null;
  readonly limits: ServiceLimits;
  /** Of the program, for the API's document. */
  readonly version: string;
  /** Told of every answered request. */
  readonly onAnswered: (answered: Answered) => void;
  /** Told of what only a bug can bring about. */
  readonly onBug: (error: unknown) => void;
  /** Aborted when the service stops and its patience is over. */
  readonly stopping: AbortSignal;
}

export interface Answered {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** The service's routes. Bodies, tokens and queries are in no `Answered`. */
export function createApp(parts: ServiceParts): Hono {
  const app = new Hono();
  const { limits, verifiers } = parts;
  const document = openApiDocument(parts.version);
  let inHand = 0;
  app.use(async (context, next) => {
    const began = performance.now();
    await next();
    const { method, path } = context.req;
    parts.onAnswered({ method, path, status: context.res.status, ms: Math.round(performance.now() - began) });
  });
  app.use(async (context, next) => refusedCaller(context, parts) ?? next());
  app.get("/healthz", (context) =>
    context.json({
      status: "ok",
      verifiers: verifiers.map(({ name, version }) => ({ name, verifier_version: version })),
    }),
  );
  app.get("/openapi.json", (context) => context.json(document));
  app.post("/v1/verify", async (context) => {
    if (inHand >= limits.in_flight) return failed("busy", "Come again in a moment.", { "retry-after": "1" });
    inHand++;
    try {
      return await verify(context, parts);
    } finally {
      inHand--;
    }
  });
  app.all("/v1/verify", () => failed("method-not-allowed", "Use POST.", { allow: "POST" }));
  app.on(["POST", "PUT", "PATCH", "DELETE"], ["/healthz", "/openapi.json"], () =>
    failed("method-not-allowed", "Use GET.", { allow: "GET" }),
  );
  app.notFound(() => failed("not-found", "There are /v1/verify, /healthz and /openapi.json."));
  app.onError((error) => {
    parts.onBug(error);
    return failed("internal", "The service's log says more.");
  });
  return app;
}

const failed = (code: ProblemCode, detail: string, headers?: Readonly<Record<string, string>>): Response =>
  problemResponse(problem(code, detail), headers);

/** Health is for everyone who gets here; all else is for who has the token, or, without one, for who calls this machine by its own names. */
function refusedCaller({ req }: Context, { token }: ServiceParts): Response | null {
  if (token === null) {
    return namesLoopback(req.header("host"))
      ? null
      : failed("foreign-host", "Without a token only requests to localhost are served.");
  }
  if (req.path === "/healthz" || carriesToken(req.header("authorization"), token)) return null;
  const challenge = { "www-authenticate": 'Bearer realm="daw-eval"' };
  return failed("unauthorised", "Send Authorization: Bearer and the service's token.", challenge);
}

async function verify(context: Context, parts: ServiceParts): Promise<Response> {
  if (!/^application\/json\s*(?:;|$)/i.test(context.req.header("content-type") ?? "")) {
    return failed("not-json", "Send content-type: application/json.");
  }
  const body = await readBody(context.req.raw, parts.limits);
  // What is still on its way would be taken for the next request.
  if (typeof body !== "string") return problemResponse(body, { connection: "close" });
  const read = readRequest(body);
  if ("status" in read) return problemResponse(read);
  const asked = namedVerifiers(read, parts.verifiers);
  if ("status" in asked) return problemResponse(asked);
  const over = linkedSignal([parts.stopping, context.req.raw.signal]);
  const timer = setTimeout(() => over.abort(TOO_LATE), parts.limits.verify_ms);
  try {
    // Raced, because an output that waits for its turn hears of the end only when its turn comes.
    const answer = await Promise.race([answerRequest(read, asked, over.signal), abortOf(over.signal)]);
    return "problem" in answer ? problemResponse(answer.problem) : context.json(answer);
  } catch (error) {
    if (over.signal.reason === TOO_LATE) {
      return failed("judge-timeout", `No verdict within ${parts.limits.verify_ms / 1000} s.`);
    }
    if (context.req.raw.signal.aborted) return failed("client-left", "Nobody waits for the verdict any more.");
    if (over.signal.aborted) return failed("stopping", "The service stopped before there was a verdict.");
    throw error;
  } finally {
    clearTimeout(timer);
    over.release();
  }
}

const TOO_LATE = new Error("the verdict is overdue");

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });

function readRequest(text: string): VerifyRequest | Problem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem("malformed-json", "The body must be one JSON object.");
  }
  const read = verifyRequestSchema.safeParse(value);
  if (read.success) return read.data;
  const errors = read.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: key, message: "is not taken: task, output, accept and profiles are" }))
      : [{ path: issue.path.join("."), message: `must be ${issue.message}` }],
  );
  return problem(
    "invalid-request",
    errors.map(({ path, message }) => `${path || "the body"} ${message}`).join("; "),
    errors,
  );
}

function namedVerifiers(
  { profiles }: VerifyRequest,
  verifiers: readonly [Verifier, ...Verifier[]],
): readonly Verifier[] | Problem {
  if (profiles === undefined) return [verifiers[0]];
  const missing = profiles.filter((wanted) => !verifiers.some(({ name }) => name === wanted));
  if (missing.length > 0) {
    const kept = verifiers.map(({ name }) => name).join(", ");
    return problem("unknown-verifier", `There is no verifier ${missing.join(", ")}; kept are ${kept}.`);
  }
  return profiles.flatMap((wanted) => verifiers.find(({ name }) => name === wanted) ?? []);
}
