/** The model-facing vocabulary: what is sent to a ChatModel and what comes back. Shapes follow the chat-completions API. */

/** Why a model is asked; usage is counted apart for each. */
export const PURPOSES = [
  "agent",
  "process-validator",
  "answer-validator",
  "verifier",
  "planner",
  "executor",
  "finalizer",
  "condenser",
  "extractor",
] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them: JSON text, possibly broken. */
  readonly arguments: string;
}

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** Media types that chat endpoints take as images. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** An image of the task's context: requests and events name it, its bytes are in neither. */
export interface ImageReference {
  /** Relative to the context, `/`-separated. */
  readonly path: string;
  /** SHA-256 of its bytes, lower-case hex. */
  readonly digest: string;
  readonly type: ImageType;
  readonly bytes: number;
}

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: ImageReference };

export type Message =
  | { readonly role: "system"; readonly content: string }
  /** Parts where images are shown, else text. */
  | { readonly role: "user"; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly tool_calls: readonly ToolCall[];
      /** The model's own reasoning of that turn, where it is to be sent back. */
      readonly reasoning?: string;
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** What a message says in words; "" where it has none. */
export function textOf({ content }: Message): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

export interface ModelRequest {
  readonly purpose: Purpose;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly temperature: number | null;
  /** Sent to endpoints that take one. */
  readonly seed: number | null;
  readonly max_output_tokens: number | null;
}

/** Token counts of one or more responses; null where the endpoint did not say. */
export interface Usage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** Part of input_tokens that a provider's cache served. */
  readonly cached_tokens: number | null;
  /** Part of output_tokens spent on reasoning. */
  readonly reasoning_tokens: number | null;
}

export interface ModelResponse {
  /** The model's name as the endpoint reports it. */
  readonly model: string;
  readonly content: string | null;
  /** Reasoning text where the endpoint returns it: kept in the log, never sent back unless the profile says so. */
  readonly reasoning: string | null;
  readonly tool_calls: readonly ToolCall[];
  readonly finish_reason: string | null;
  readonly usage: Usage;
  /** US dollars by the profile's price table; null without one. */
  readonly cost_usd: number | null;
  /** What a provider adds for the log, e.g. the candidates that the embedded baseline weighed. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Classes of infrastructure trouble (never an answer's fault) and the one failure that is the agent's: context-window. */
export const MODEL_FAILURE_CLASSES = [
  "auth",
  "not-found",
  "bad-request",
  "rate-limit",
  "timeout",
  "connection",
  "server",
  "context-window",
  "replay-diverged",
] as const;
export type ModelFailureClass = (typeof MODEL_FAILURE_CLASSES)[number];

export interface ModelFailure {
  readonly class: ModelFailureClass;
  /** The server's own words, secrets removed, at most 2,000 characters. */
  readonly message: string;
  readonly status: number | null;
}
