import { stableJson } from "../core/digest.js";
import type { CandidateSubmitted, ToolReturned } from "../core/event.js";
import {
  capabilitiesOf,
  type EvidenceItem,
  type EvidenceLocator,
  type EvidencePacket,
  type EvidenceSource,
  evidenceId,
  type OmittedEvidence,
  textArgument,
} from "../core/evidence.js";
import type { TrajectoryStep } from "../core/state.js";
import { contentOf, type ExcerptLimits, excerptOf } from "./excerpt.js";

export interface PacketLimits extends ExcerptLimits {
  /** Usable observations of a packet; the newest are kept. */
  readonly max_items: number;
}

/** A tool's return, and the step that it belongs to. */
interface Observation {
  readonly step: number;
  readonly returned: ToolReturned;
}

/**
 * What a trajectory proves, and what of it proves nothing (schema version 2, seed 1, stage three). Tool results are taken from the
 * newest to the oldest, then both lists are put into chronological order. A successful submission is no observation of a source: it is
 * what is being audited.
 */
export function evidencePacket(trajectory: readonly TrajectoryStep[], limits: PacketLimits): EvidencePacket {
  const items: EvidenceItem[] = [];
  const omitted: OmittedEvidence[] = [];
  const taken = new Set<string>();
  for (const observation of observations(trajectory).reverse()) {
    const { tool, args } = observation.returned;
    const fingerprint = fingerprintOf(observation.returned);
    const reason = reasonToOmit(observation.returned, taken.has(fingerprint), items.length >= limits.max_items);
    if (reason === "duplicate") continue;
    if (reason !== null) omitted.push({ tool, source: textArgument(args, "path") ?? tool, reason });
    else {
      taken.add(fingerprint);
      items.push(itemOf(observation, limits));
    }
  }
  return { schema_version: 2, evidence_items: items.reverse(), omitted_or_unusable: omitted.reverse() };
}

function observations(trajectory: readonly TrajectoryStep[]): Observation[] {
  return trajectory.flatMap(({ step, returns }) =>
    returns.filter(isToolReturn).map((returned) => ({ step, returned })),
  );
}

function isToolReturn(returned: ToolReturned | CandidateSubmitted): returned is ToolReturned {
  return returned.type === "tool-returned";
}

/** The order of the reasons is part of the format. */
function reasonToOmit(
  returned: ToolReturned,
  isDuplicate: boolean,
  isFull: boolean,
): OmittedEvidence["reason"] | "duplicate" | null {
  if (!returned.ok) return "not_successful";
  if (returned.truncated) return "truncated_result";
  if (isDuplicate) return "duplicate";
  return isFull ? "evidence_budget" : null;
}

/** Equal for the same tool, arguments and observation, in whatever order their JSON has its keys. */
function fingerprintOf({ tool, args, content }: ToolReturned): string {
  return stableJson([tool, args, contentOf(content)]);
}

function itemOf({ step, returned }: Observation, limits: PacketLimits): EvidenceItem {
  const { tool, args, call_id } = returned;
  const observed = contentOf(returned.content);
  const { value, cut } = excerptOf(observed, limits);
  return {
    id: evidenceId(step, call_id),
    trace_step_index: step,
    tool_call_id: call_id,
    tool,
    capabilities: capabilitiesOf(tool, args),
    source: sourceOf(tool, args),
    request: args,
    observation: {
      status: "complete",
      truncated: false,
      locator: locatorOf(tool, args, observed),
      evidence_excerpt: value,
      ...(cut ? { excerpt_cut: true } : {}),
    },
  };
}

const DOCUMENT_TOOLS: readonly string[] = ["read_doc", "inspect_doc_structure", "extract_structured_doc"];
const IMAGE_TOOLS: readonly string[] = ["read_context_image", "record_visual_evidence"];
const TABLE_TOOLS: readonly string[] = ["get_table_profile", "get_field_profile", "get_column_distinct_values"];

function sourceOf(tool: string, args: unknown): EvidenceSource {
  const path = textArgument(args, "path");
  const table = textArgument(args, "table");
  if (path !== null && IMAGE_TOOLS.includes(tool)) return { kind: "image", path };
  if (path !== null && DOCUMENT_TOOLS.includes(tool)) return { kind: "document", path };
  if (table !== null && TABLE_TOOLS.includes(tool)) return { kind: "table", name: table };
  return { kind: "tool_result", name: tool };
}

function locatorOf(tool: string, args: unknown, observed: unknown): EvidenceLocator {
  const source = sourceOf(tool, args);
  switch (source.kind) {
    case "image":
      return { frame_path: source.path };
    case "document": {
      const heading = textArgument(args, "heading") ?? textArgument(observed, "heading");
      return { kind: "document", path: source.path, ...(heading === null ? {} : { heading }) };
    }
    default:
      return { kind: source.kind, name: source.name };
  }
}
