import { z } from "zod";
import { SANDBOX_KINDS } from "../../core/ports/sandbox.js";
import { AGENT_NETWORKS } from "../../core/profile.js";
import { position } from "./event-schema-validation.js";

/** How the events of agents that are not ours are read back. The meaning of each field stands at its type in core/event.ts. */

const texts = z.array(z.string());

export const candidateFile = z.object({
  file: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  signature: z.string(),
  preview: z.array(z.array(z.string().nullable())),
  structure: z.array(
    z.object({
      type: z.string(),
      nulls: z.int(),
      distinct: z.int(),
      examples: z.array(z.string()),
      percent_cells: z.int(),
      loose_date_cells: z.int(),
      same_as: z.int().nullable(),
    }),
  ),
});

export const commandEvents = [
  z.object({
    ...position,
    type: z.literal("command-started"),
    argv: texts,
    sandbox: z.enum(SANDBOX_KINDS),
    network: z.enum(AGENT_NETWORKS),
    env: texts,
  }),
  z.object({
    ...position,
    type: z.literal("step-reported"),
    content: z.string().nullable(),
    calls: z.array(z.object({ tool: z.string(), args: z.unknown(), ok: z.boolean().nullable(), content: z.string() })),
  }),
  z.object({
    ...position,
    type: z.literal("answer-delivered"),
    candidate: candidateFile,
    conclusion: z.string().nullable(),
  }),
  z.object({
    ...position,
    type: z.literal("command-returned"),
    failure: z.string().nullable(),
    prediction: z.object({ status: z.enum(["delivered", "missing", "invalid"]), reason: z.string().nullable() }),
    notes: texts,
    stdout: z.string(),
    stderr: z.string(),
    ms: z.number(),
  }),
] as const;
