import { z } from "zod";
import type { CandidateSubmitted, ToolReturned } from "../../core/event.js";
import { textArgument } from "../../core/evidence.js";

/** Something that a call tried, as text. */
export interface Attempt {
  readonly kind: "sql" | "python" | "path";
  readonly text: string;
}

const contentSchema = z.object({
  results: z
    .array(
      z.object({
        sql: z.string().optional(),
        ok: z.boolean().optional(),
        columns: z.array(z.string()).optional(),
        rows: z.array(z.array(z.unknown())).optional(),
        row_count: z.number().optional(),
        truncated: z.boolean().optional(),
      }),
    )
    .optional(),
});

/** What tools put into the JSON that a model reads, as far as flags look at it; null where it is none. */
export function parsedContent(content: string): z.infer<typeof contentSchema> | null {
  try {
    return contentSchema.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    return null;
  }
}

/** The Python of a call; of SQL and paths those that a tool refused or could not find. */
export function attemptsOf(returned: ToolReturned | CandidateSubmitted): Attempt[] {
  const { args } = returned;
  const source = memberOf(args, "tool_args");
  const code = textArgument(args, "code") ?? textArgument(source, "code");
  const python: Attempt[] = code === null ? [] : [{ kind: "python", text: code }];
  if (returned.type === "candidate-submitted" || returned.ok) return [...python, ...failedQueries(returned)];
  const path = textArgument(args, "path");
  const results = parsedContent(returned.content)?.results;
  const failed = results?.filter(({ ok }) => ok === false).flatMap(({ sql }) => sql ?? []);
  const sql = failed ?? [...textsOf(memberOf(args, "queries")), ...textsOf(memberOf(source, "queries"))];
  return [
    ...python,
    ...failedQueries(returned),
    ...(path === null ? [] : [{ kind: "path", text: path } as const]),
    ...sql.map((text) => ({ kind: "sql", text }) as const),
  ];
}

/** What Python asked and did not get. */
function failedQueries(returned: ToolReturned | CandidateSubmitted): Attempt[] {
  const queries = (returned.type === "tool-returned" ? returned.queries : returned.source.queries) ?? [];
  return queries.flatMap(({ sql, rows }) => (rows === null ? [{ kind: "sql", text: sql } as const] : []));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** All texts in a value, at any depth. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
