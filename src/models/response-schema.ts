import { z } from "zod";
import type { ModelResponse } from "../core/message.js";

/** How responses are read back from disk. The meaning of each field stands at its type in core/message.ts. */

export const toolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

const count = z.number().nullable();

export const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cached_tokens: count,
  reasoning_tokens: count,
});

export const responseSchema = z.object({
  model: z.string(),
  content: z.string().nullable(),
  reasoning: z.string().nullable(),
  tool_calls: z.array(toolCallSchema),
  finish_reason: z.string().nullable(),
  usage: usageSchema,
  cost_usd: z.number().nullable(),
  extra: z.record(z.string(), z.unknown()).exactOptional(),
}) satisfies z.ZodType<ModelResponse>;
