import { isImageType } from "../context/context-images.js";
import type { LightCatalog } from "../core/catalog.js";
import type { PendingCall } from "../core/event.js";
import type { ImageReference, ToolSchema } from "../core/message.js";
import { nearest } from "../core/nearest.js";
import type { OverlayTable } from "../core/overlay.js";
import type { IssuedQuery } from "../core/ports/sandbox.js";
import { pythonAsAnswer, queriesAsAnswer } from "./answer-source.js";
import { executeProbeQuery } from "./execute-probe-query.js";
import { extractStructuredDoc } from "./extract-structured-doc.js";
import { fitJson } from "./fit-json.js";
import { getColumnDistinctValues } from "./get-column-distinct-values.js";
import { getFieldProfile } from "./get-field-profile.js";
import { getTableProfile } from "./get-table-profile.js";
import { getTableRelationships } from "./get-table-relationships.js";
import { inspectDocStructure } from "./inspect-doc-structure.js";
import { listContext } from "./list-context.js";
import { lookupDocOutline } from "./lookup-doc-outline.js";
import { executePython } from "./python/execute-python.js";
import { readContextImage } from "./read-context-image.js";
import { readDoc } from "./read-doc.js";
import { recordVisualEvidence } from "./record-visual-evidence.js";
import { searchDoc } from "./search-doc.js";
import { searchSemanticCatalog } from "./search-semantic-catalog.js";
import { submitToolResult } from "./submit-tool-result.js";
import {
  failure,
  type Submission,
  type Tool,
  type ToolEnvironment,
  type ToolOutcome,
  type ToolQuestion,
} from "./tool.js";

export type { ToolEnvironment, ToolQuestion } from "./tool.js";

/** What a call brought: always something for the model to read, also when it failed. */
export interface ToolResult {
  /** Parsed arguments with defaults; as the model wrote them where they do not fit. */
  readonly args: unknown;
  readonly ok: boolean;
  /** JSON text, at most `limits.max_result_characters` long. */
  readonly content: string;
  /** Something was left out of `content`; it says so itself, and how to get it. */
  readonly truncated: boolean;
  /** kebab-case kind of failure, null where `ok`. */
  readonly error: string | null;
  /** Only of Python: what it asked of the tables. */
  readonly queries?: readonly IssuedQuery[];
  /** Only of an image that was read: what the agent's next request shows. */
  readonly image?: ImageReference;
  /** Only of a submission that succeeded: the whole table. */
  readonly submission?: Submission;
  /** Only of an extraction that succeeded: the table that it adds to the trial's data. */
  readonly table?: OverlayTable;
}

const READING: readonly Tool[] = [
  listContext,
  searchSemanticCatalog,
  getTableProfile,
  getFieldProfile,
  getColumnDistinctValues,
  getTableRelationships,
  executeProbeQuery,
  lookupDocOutline,
  searchDoc,
  readDoc,
  inspectDocStructure,
  extractStructuredDoc,
];

const LOOKING: readonly Tool[] = [readContextImage, recordVisualEvidence];
const SUBMIT_QUERIES = submitToolResult([queriesAsAnswer]);
const SUBMIT_ANY = submitToolResult([queriesAsAnswer, pythonAsAnswer]);

/**
 * What the model is told of the tools, in a fixed order; `execute_python` only where `python` says that it can run, the tools for
 * images only where the task has `images` that can be shown.
 */
export function toolSchemas(python: boolean, images = false): ToolSchema[] {
  return toolsOf(python, images).map((tool) => tool.schema);
}

function toolsOf(python: boolean, images: boolean): readonly Tool[] {
  const looking = images ? LOOKING : [];
  return python ? [...READING, ...looking, executePython, SUBMIT_ANY] : [...READING, ...looking, SUBMIT_QUERIES];
}

/** Whether a context has images that can be shown. */
export function hasImages({ media }: Pick<LightCatalog, "media">): boolean {
  return media.some(({ type }) => isImageType(type));
}

/**
 * Runs one call, of a built-in tool or of one that a program `added`: prepare (does the tool exist, do the arguments fit) → execute →
 * finish (cut to size). Whatever is the model's or the data's fault comes back as a result that is not ok; a call that waits for the
 * extractor, as its question. Rejects when `env.signal` is aborted, with `SandboxError` when no query child or no Python can be started,
 * and on bugs.
 */
export async function runTool(
  { call, args }: PendingCall,
  env: ToolEnvironment,
  added: readonly Tool[] = [],
): Promise<ToolResult | ToolQuestion> {
  env.signal.throwIfAborted();
  const tools = [...toolsOf(env.python !== null, hasImages(env.context.catalog)), ...added];
  const tool = tools.find(({ schema }) => schema.name === call.name);
  if (tool === undefined) return finish(args, failure("unknown-tool", unknownTool(call.name, tools)), "", env);
  const prepared = tool.prepare(args);
  if (!prepared.ok) return finish(args, failure("bad-arguments", prepared.message), "", env);
  const outcome = await prepared.execute(env);
  return "ask" in outcome ? outcome : finish(prepared.args, outcome, tool.rest, env);
}

function finish(args: unknown, outcome: ToolOutcome, rest: string, env: ToolEnvironment): ToolResult {
  const { text, cut } = fitJson(outcome.content, env.limits.max_result_characters, rest);
  const truncated = cut || outcome.truncated;
  const asked = outcome.queries === undefined ? {} : { queries: outcome.queries };
  if (!outcome.ok) return { args, ok: false, content: text, truncated, error: outcome.error, ...asked };
  const { image, table, submission } = outcome;
  const brought = {
    ...(image === undefined ? {} : { image }),
    ...(table === undefined ? {} : { table }),
    ...(submission === undefined ? {} : { submission }),
  };
  return { args, ok: true, content: text, truncated, error: null, ...asked, ...brought };
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map(({ schema }) => schema.name);
  const [near] = nearest(name, names);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return `there is no tool "${name.slice(0, 100)}"${meant} (tools: ${names.join(", ")})`;
}
