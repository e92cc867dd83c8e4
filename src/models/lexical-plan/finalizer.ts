import { z } from "zod";
import type { ModelRequest } from "../../core/message.js";
import { submitCall } from "../lexical/policy.js";
import { type Call, readTranscript } from "../lexical/transcript.js";
import { unanswered } from "./executor.js";
import { citedEvidenceOf, openingOf } from "./plan-parts.js";

const probed = z.object({ queries: z.array(z.string()).min(1) });

/**
 * The finalizer's role without a language model: it hands in the query of the newest evidence that the outputs cite, after the calls that a
 * validator has required meanwhile.
 */
export function finalize(request: ModelRequest): readonly Call[] {
  const { required, results, mustSubmit } = readTranscript(request);
  const missing = mustSubmit ? [] : unanswered(required, results);
  return missing.length > 0 ? missing : [submitCall(queryOf(request), conclusionOf(request))];
}

function queryOf(request: ModelRequest): string {
  const queries = citedEvidenceOf(request).flatMap(({ tool, args }) => {
    const read = tool === "execute_probe_query" ? probed.safeParse(args).data : undefined;
    return read?.queries.at(-1) ?? [];
  });
  return queries.at(-1) ?? "SELECT NULL AS answer";
}

function conclusionOf(request: ModelRequest): string {
  const [, reading] = [...openingOf(request).matchAll(/^Reading: (.+)$/gm)].at(-1) ?? [];
  return reading ?? "No reading of the question could be computed.";
}
