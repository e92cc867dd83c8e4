/**
 * What a validator may believe: successful, complete tool observations of this trial, and a list of those that prove nothing.
 * Shape and rules of version 2: seed 1, stage three.
 */
export interface EvidencePacket {
  readonly schema_version: 2;
  /** Usable observations, oldest first. */
  readonly evidence_items: readonly EvidenceItem[];
  /** Observations that prove nothing, oldest first; being here does not by itself speak against a candidate. */
  readonly omitted_or_unusable: readonly OmittedEvidence[];
}

export interface EvidenceItem {
  /** `step_<n>:call_<tool_call_id>` */
  readonly id: string;
  /** The main-model call that asked for it, from 1. */
  readonly trace_step_index: number;
  readonly tool_call_id: string;
  readonly tool: string;
  /** What kind of fact it can prove, so that finding a source is never mistaken for having read it. */
  readonly capabilities: readonly Capability[];
  readonly source: EvidenceSource;
  /** The call's arguments. */
  readonly request: unknown;
  readonly observation: {
    readonly status: "complete";
    readonly truncated: false;
    readonly locator: EvidenceLocator;
    /** What the tool returned: JSON where it is JSON, else text. */
    readonly evidence_excerpt: unknown;
    /** Present where texts or lists of the excerpt were cut to the packet's limits. */
    readonly excerpt_cut?: true;
  };
}

export type EvidenceSource =
  | { readonly kind: "document" | "image"; readonly path: string }
  | { readonly kind: "table" | "tool_result"; readonly name: string };

/** Where in its source an observation stands. */
export type EvidenceLocator =
  | { readonly kind: "document"; readonly path: string; readonly heading?: string }
  | { readonly kind: "table" | "tool_result"; readonly name: string }
  | { readonly frame_path: string };

export interface OmittedEvidence {
  readonly tool: string;
  /** A document's or image's path, else the tool's name. */
  readonly source: string;
  readonly reason: "not_successful" | "truncated_result" | "evidence_budget";
}

/** The id under which a tool's return can be cited: `step_<n>:call_<tool_call_id>`. */
export function evidenceId(step: number, callId: string): string {
  return `step_${step}:call_${callId}`;
}

export const CAPABILITIES = [
  "table_schema",
  "field_definition",
  "value_domain",
  "join_candidate",
  "source_row_observation",
  "programmatic_observation",
  "document_fact",
  "video_narrative_context",
  "source_discovery",
  "document_structure",
  "structured_record",
  "visual_fact",
  "visual_fact_receipt",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** What a tool's observation can prove (seed 1, stage three; `get_column_distinct_values` and the discovery tools are ours). */
const OF_TOOL: Readonly<Record<string, Capability>> = {
  get_table_profile: "table_schema",
  get_field_profile: "field_definition",
  get_column_distinct_values: "value_domain",
  get_table_relationships: "join_candidate",
  execute_probe_query: "source_row_observation",
  execute_python: "programmatic_observation",
  read_doc: "document_fact",
  lookup_doc_outline: "source_discovery",
  search_doc: "source_discovery",
  search_semantic_catalog: "source_discovery",
  list_context: "source_discovery",
  inspect_doc_structure: "document_structure",
  extract_structured_doc: "structured_record",
  read_context_image: "visual_fact",
  record_visual_evidence: "visual_fact_receipt",
};

const OF_DOCUMENTS: readonly Capability[] = ["document_fact", "document_structure", "structured_record"];

/** The labels of a call's observation; none for a tool that observes nothing. A video's summary only navigates, by whatever tool it is read. */
export function capabilitiesOf(tool: string, args: unknown): readonly Capability[] {
  const capability = OF_TOOL[tool];
  if (capability === undefined) return [];
  const path = textArgument(args, "path");
  const navigates = OF_DOCUMENTS.includes(capability) && path !== null && isVideoSummary(path);
  return [navigates ? "video_narrative_context" : capability];
}

const NAVIGATION: readonly Capability[] = ["source_discovery", "video_narrative_context"];

/** Whether a call reads data or a document, as against looking for where they are. */
export function readsASource(tool: string, args: unknown): boolean {
  return capabilitiesOf(tool, args).some((capability) => !NAVIGATION.includes(capability));
}

/** A member of a call's arguments that is text, else null. */
export function textArgument(args: unknown, name: string): string | null {
  if (typeof args !== "object" || args === null) return null;
  const value = Object.entries(args).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : null;
}

/** `video/q3_video_summary.md`: written for finding one's way in a video, no source of facts. */
export function isVideoSummary(path: string): boolean {
  return /_video_summary(\.[^./]+)?$/iu.test(path);
}
