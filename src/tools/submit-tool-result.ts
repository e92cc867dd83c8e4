import { z } from "zod";
import type { Table } from "../core/ports/query-worker.js";
import type { AnswerSource } from "./answer-source.js";
import { defineTool, failure, type Tool } from "./tool.js";

const PREVIEW_ROWS = 5;

/**
 * `{"submitted": true, "columns", "row_count", "preview"}`. The source runs again from scratch, without any preview limit, and its
 * whole output is the answer. `columns` renames, one for one.
 */
export function submitToolResult(sources: readonly [AnswerSource, ...AnswerSource[]]): Tool {
  const names = sources.map(({ tool }) => tool);
  const sourceOf = (tool: string) => sources.find((source) => source.tool === tool) ?? sources[0];
  return defineTool({
    name: "submit_tool_result",
    description:
      "Hands in the answer. Give the tool and the arguments that produce it: they run again in full, and the whole result (of several queries, that of the last one) is the answer, whatever was shown before.",
    args: z
      .strictObject({
        tool_name: z.enum(names).describe("the tool whose result is the answer"),
        tool_args: z
          .record(z.string(), z.unknown())
          .meta({ ...argumentsSchema(sources), description: "its arguments" }),
        columns: z
          .array(z.string().trim().min(1))
          .min(1)
          .optional()
          .describe("new names for all columns, in their order; nothing else changes"),
        conclusion: z.string().optional().describe("the answer in words, with where the numbers come from"),
      })
      .superRefine(({ tool_name, tool_args }, context) => {
        const { error } = sourceOf(tool_name).args.safeParse(tool_args);
        for (const issue of error?.issues ?? []) {
          context.addIssue({ ...issue, path: ["tool_args", ...issue.path] });
        }
      }),
    rest: "nothing is missing in the answer itself",
    execute: async ({ tool_name, tool_args, columns, conclusion }, env) => {
      const run = await sourceOf(tool_name).run(tool_args, env);
      if (!run.ok) return run;
      const { table: answer, args, queries } = run;
      const named = columns ?? answer.columns;
      if (named.length !== answer.columns.length) return failure("columns-mismatch", mismatch(named, answer.columns));
      const table: Table = { ...answer, columns: named };
      const preview = table.rows.slice(0, PREVIEW_ROWS);
      const source = { tool: tool_name, args, ...(queries === undefined ? {} : { queries }) };
      return {
        ok: true,
        content: { submitted: true, columns: table.columns, row_count: table.rows.length, preview },
        truncated: false,
        submission: { table, source, conclusion: conclusion ?? null },
      };
    },
  });
}

/** JSON schema of the arguments of any of the sources. */
function argumentsSchema(sources: readonly [AnswerSource, ...AnswerSource[]]): Record<string, unknown> {
  const schemas = sources.map(({ args }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(args, { io: "input" });
    return schema;
  });
  return schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas };
}

function mismatch(given: readonly string[], real: readonly string[]): string {
  return `nothing was submitted: columns renames one for one, and there are ${given.length} names for ${real.length} columns (${real.join(", ")}); select what you want to hand in, or leave columns out`;
}
