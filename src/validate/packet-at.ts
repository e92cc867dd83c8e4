import { digestOf } from "../core/digest.js";
import { UsageError } from "../core/errors.js";
import type { TrialEvent } from "../core/event.js";
import type { EvidencePacket } from "../core/evidence.js";
import type { Profile } from "../core/profile.js";
import { fold } from "../core/reduce.js";
import { evidencePacket } from "./packet.js";

/**
 * The evidence packet that a process validation judged: the logged one, else worked out again from the events before it. Throws
 * UsageError where `seq` is no such event, and where the packet of today's code is not the one that was judged.
 */
export function packetAt(events: readonly TrialEvent[], seq: number, profile: Profile): EvidencePacket {
  const verdict = events[seq];
  if (verdict?.type !== "process-validated") {
    const checks = events.filter(({ type }) => type === "process-validated").map((event) => event.seq);
    const which = checks.length === 0 ? "the trial has none" : `there are: ${checks.join(", ")}`;
    throw new UsageError(`--packet ${seq}: not a process-validated event; ${which}`);
  }
  if (verdict.packet !== undefined) return verdict.packet;
  const packet = evidencePacket(fold(events.slice(0, seq)).trajectory, profile.process_validation);
  if (digestOf(packet) === verdict.packet_digest) return packet;
  throw new UsageError(
    `--packet ${seq}: this version of daw-eval makes another packet of these events than the one that was judged; with process_validation.log_packets it would be in the log`,
  );
}
