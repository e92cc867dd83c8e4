import { z } from "zod";
import {
  healthSchema,
  pairSchema,
  problemSchema,
  severalSchema,
  verdictSchema,
  verifyRequestSchema,
} from "./verify-schema.js";

const REQUEST_PROBLEMS = {
  400: "The body is not JSON, or not a request to verify.",
  401: "The token is missing or wrong.",
  403: "The service has no token, and the request is not for localhost.",
  404: "No verifier has that name.",
  408: "The request took too long to arrive.",
  413: "The body is too large.",
  415: "The body is not application/json.",
  500: "A bug.",
  502: "The judge could not be asked, or its reply is no verdict.",
  503: "Too many requests are in hand, or the service is stopping.",
  504: "The judge took too long.",
} as const;

/** The API as an OpenAPI 3.1 document. Its schemas are made from those that requests are checked with. */
export function openApiDocument(version: string): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "daw-eval verifier",
      version,
      description:
        "Whether an output does what its task and its criterion ask. It takes nothing else, so that nothing else makes it lenient.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }, {}],
    paths: {
      "/v1/verify": {
        post: {
          operationId: "verify",
          summary: "Verify one output, or several, by one verifier or two.",
          requestBody: { required: true, content: json("VerifyRequest") },
          responses: {
            200: { description: "A verdict, a pair of them, or a list.", content: oneOf("Verdict", "Pair", "Several") },
            ...problems(REQUEST_PROBLEMS),
          },
        },
      },
      "/healthz": {
        get: {
          operationId: "health",
          summary: "Whether the service is up, and which verifiers it keeps.",
          security: [{}],
          responses: {
            200: { description: "It is.", content: json("Health") },
            ...problems({ 403: REQUEST_PROBLEMS[403] }),
          },
        },
      },
      "/openapi.json": {
        get: {
          operationId: "openapi",
          summary: "This document.",
          responses: {
            200: { description: "It.", content: { "application/json": { schema: { type: "object" } } } },
            ...problems({ 401: REQUEST_PROBLEMS[401], 403: REQUEST_PROBLEMS[403] }),
          },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        VerifyRequest: schemaOf(verifyRequestSchema, "input"),
        Verdict: schemaOf(verdictSchema, "output"),
        Pair: schemaOf(pairSchema, "output"),
        Several: schemaOf(severalSchema, "output"),
        Problem: schemaOf(problemSchema, "output"),
        Health: schemaOf(healthSchema, "output"),
      },
    },
  };
}

/** OpenAPI 3.1 takes JSON Schema 2020-12 as it is. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ "application/json": { schema: reference(name) } });
const oneOf = (...names: readonly string[]) => ({ "application/json": { schema: { oneOf: names.map(reference) } } });

function problems(descriptions: Readonly<Record<number, string>>): object {
  const content = { "application/problem+json": { schema: reference("Problem") } };
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [status, { description, content }]),
  );
}
