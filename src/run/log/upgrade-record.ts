import { SCHEMA_VERSION } from "../../core/run-record.js";

/** One line of run.jsonl, parsed and not yet looked at. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes a record of version n one of version n + 1; the first is for n = 1. A resumed log has newer records behind an older run-start,
 * so a step adds what is missing and leaves what is there.
 */
const STEPS: readonly ((record: Fields) => Fields)[] = [withWhatVersion1Lacked];

/** A line of a log that was begun with this schema version, as today's version would have written it. */
export function upgradeRecord(value: unknown, version: number): unknown {
  if (version >= SCHEMA_VERSION || !isFields(value)) return value;
  return STEPS.slice(version - 1).reduce((record, step) => step(record), value);
}

/** The schema version that a first line names; null where it names none. */
export function versionOf(value: unknown): number | null {
  const version = isFields(value) ? value.schema_version : null;
  return typeof version === "number" && Number.isInteger(version) && version >= 1 ? version : null;
}

/** Matrices, shards, sandboxes, replays, imports, tasks that join a run and integrity flags came after it. */
function withWhatVersion1Lacked(record: Fields): Fields {
  switch (record.record) {
    case "run-start":
      return {
        arm_profiles: {},
        shard: null,
        selection: null,
        sandbox: { python: null, reason: "the log does not say" },
        arm_sandboxes: {},
        replay_of: null,
        additions: [],
        imported: null,
        ...record,
        schema_version: 2,
      };
    case "run-resume":
      return { added: [], ...record };
    case "trial-end":
      return { integrity: [], ...record };
    default:
      return record;
  }
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
