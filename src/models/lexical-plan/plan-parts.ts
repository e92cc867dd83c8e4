import { z } from "zod";
import { type ModelRequest, textOf } from "../../core/message.js";

/** What the requests of a plan's roles hold, as the embedded baseline reads them. */

/** The text of the first user message. */
export function openingOf({ messages }: ModelRequest): string {
  const opening = messages.find(({ role }) => role === "user");
  return opening === undefined ? "" : textOf(opening);
}

/** What stands between a tag's lines, each time it occurs. */
export function taggedAll(text: string, tag: string): string[] {
  return [...text.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, "g"))].map(([, inside = ""]) => inside);
}

const subGoal = z.object({ id: z.string(), goal: z.string(), tool_hint: z.string().nullable() });
export type ReadSubGoal = z.infer<typeof subGoal>;

export function subGoalOf(request: ModelRequest): ReadSubGoal | null {
  return read(subGoal, taggedAll(openingOf(request), "sub_goal").at(-1) ?? "");
}

/** Ids of the evidence that an executor's opening lists. */
export function listedEvidence(request: ModelRequest): string[] {
  return [...openingOf(request).matchAll(/^\[(E\d+)\] /gm)].flatMap(([, id]) => id ?? []);
}

const citedEvidence = z.object({ id: z.string(), tool: z.string(), args: z.unknown() });

/** The calls behind what the outputs cite, as a finalizer's opening has them. */
export function citedEvidenceOf(request: ModelRequest): z.infer<typeof citedEvidence>[] {
  return taggedAll(openingOf(request), "evidence").flatMap((text) => read(citedEvidence, text) ?? []);
}

const fetched = z.object({
  evidence: z.array(
    z.object({ id: z.string(), tool: z.string(), args: z.record(z.string(), z.unknown()), content: z.string() }),
  ),
});
export type FetchedEvidence = z.infer<typeof fetched>["evidence"][number];

/** What `read_evidence` brought. */
export function fetchedEvidence(content: string): FetchedEvidence[] {
  return read(fetched, content)?.evidence ?? [];
}

/** A result as an executor sees it: the id of its evidence, where it has one, and the tool's own content. */
export function citable(content: string): { readonly id: string | null; readonly content: string } {
  const match = /^\[(E\d+)\] ([\s\S]*)$/.exec(content);
  return match?.[1] === undefined ? { id: null, content } : { id: match[1], content: match[2] ?? "" };
}

function read<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
