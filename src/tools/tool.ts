import { z } from "zod";
import type { CompiledContext } from "../context/compile.js";
import type { CandidateSource } from "../core/event.js";
import type { PassageQuestion } from "../core/extraction.js";
import type { ImageReference, ToolSchema } from "../core/message.js";
import type { OverlayTable } from "../core/overlay.js";
import type { ImageReader } from "../core/ports/image-reader.js";
import type { QueryWorker, Table } from "../core/ports/query-worker.js";
import type { IssuedQuery, Sandbox } from "../core/ports/sandbox.js";
import type { ToolsConfig } from "../core/profile.js";
import { argumentTrouble } from "./argument-trouble.js";
import type { ExtractorSoFar } from "./read-prose.js";

/** All that a tool can reach. */
export interface ToolEnvironment {
  readonly context: CompiledContext;
  /** Reads the context's tables and those of `overlay`. */
  readonly worker: QueryWorker;
  /** Tables that this trial made so far. */
  readonly overlay: readonly OverlayTable[];
  readonly limits: ToolsConfig;
  readonly images: ImageReader;
  /** What the model has been shown in this trial, oldest first. */
  readonly shown_images: readonly ImageReference[];
  /** Calls of the same turn, before this one, that read an image. */
  readonly images_before: number;
  readonly extractor: ExtractorSoFar;
  /** Null where Python is not offered. */
  readonly python: PythonRoom | null;
  /** Aborted: the tool's promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Where a task's Python runs. */
export interface PythonRoom {
  readonly sandbox: Sandbox;
  /** Absolute path of the task's context. */
  readonly context_dir: string;
  /** Told when a run begins (true) and ends (false) to wait for its turn. */
  readonly on_wait: (began: boolean) => void;
}

/** A table handed in as the answer, whole, with what it was made by. */
export interface Submission {
  readonly table: Table;
  readonly source: CandidateSource;
  readonly conclusion: string | null;
}

/** What a tool found, before it is cut to what the model may see. */
export type ToolOutcome =
  | {
      readonly ok: true;
      /** JSON of the tool's fixed shape. */
      readonly content: object;
      /** The tool itself left something out, and `content` says so. */
      readonly truncated: boolean;
      /** What Python asked of the tables. */
      readonly queries?: readonly IssuedQuery[];
      /** For the agent's next request. */
      readonly image?: ImageReference;
      readonly submission?: Submission;
      /** To be added to the trial's data. */
      readonly table?: OverlayTable;
    }
  | {
      readonly ok: false;
      /** kebab-case kind of failure. */
      readonly error: string;
      readonly content: object;
      readonly truncated: boolean;
      readonly queries?: readonly IssuedQuery[];
    };

/** A tool cannot go on without the extractor's answer: it is called again when that is there. */
export interface ToolQuestion {
  readonly ask: PassageQuestion;
}

export interface Tool {
  readonly schema: ToolSchema;
  /** One sentence: how the model gets what was cut from this tool's content. */
  readonly rest: string;
  /** Checks the arguments; `args` as the tool understood them, defaults put in. */
  prepare(args: unknown): Prepared;
}

type Prepared =
  | { readonly ok: true; readonly args: unknown; execute(env: ToolEnvironment): Promise<ToolOutcome | ToolQuestion> }
  | { readonly ok: false; readonly message: string };

interface ToolDefinition<Args extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly args: Args;
  readonly rest: string;
  execute(args: z.infer<Args>, env: ToolEnvironment): Promise<ToolOutcome | ToolQuestion>;
}

/** Makes a tool of its parts: the zod schema is at once the JSON schema that the model sees and the check of what it writes. */
export function defineTool<Args extends z.ZodObject>(definition: ToolDefinition<Args>): Tool {
  const { name, description, args: schema, rest } = definition;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return {
    schema: { name, description, parameters },
    rest,
    prepare: (args) => {
      const parsed = schema.safeParse(withoutNulls(args));
      if (!parsed.success)
        return { ok: false, message: argumentTrouble(name, Object.keys(schema.shape), parsed.error) };
      return { ok: true, args: parsed.data, execute: (env) => definition.execute(parsed.data, env) };
    },
  };
}

/** Models write null for an argument that they do not give. */
function withoutNulls(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** The outcome of a call that cannot be done, in words that help the model to make a better one. */
export function failure(error: string, message: string): ToolOutcome & { ok: false } {
  return { ok: false, error, content: { error, message }, truncated: false };
}
