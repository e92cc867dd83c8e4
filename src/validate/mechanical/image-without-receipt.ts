import type { ToolReturned } from "../../core/event.js";
import { type Capability, capabilitiesOf, textArgument } from "../../core/evidence.js";
import type { Finding } from "../../core/finding.js";
import type { CheckInput, CheckOutcome } from "./check.js";

/**
 * Every image that the agent looked at on the way to its answer needs a receipt of what was seen in it (seed 1, strict mode). Code cannot tell
 * which images an answer rests on, so it asks for all of them; a receipt may say that its image is not used.
 */
export function imageWithoutReceipt({ trajectory, packet, say }: CheckInput): CheckOutcome {
  const calls = trajectory.flatMap(({ returns }) => returns.filter((returned) => returned.type === "tool-returned"));
  const receipts = new Set(pathsOf(calls, "visual_fact_receipt"));
  const open = [...new Set(pathsOf(calls, "visual_fact"))].filter((path) => !receipts.has(path));
  return {
    findings: open.map((path): Finding => {
      const cited = packet.evidence_items.filter(
        ({ capabilities, request }) => capabilities.includes("visual_fact") && textArgument(request, "path") === path,
      );
      return {
        rule: "image-without-receipt",
        level: "red",
        evidence: cited.map(({ id }) => id),
        detail: say.imageWithoutReceipt(path),
      };
    }),
  };
}

function pathsOf(calls: readonly ToolReturned[], capability: Capability): string[] {
  return calls.flatMap(({ ok, tool, args }) =>
    ok && capabilitiesOf(tool, args).includes(capability) ? (textArgument(args, "path") ?? []) : [],
  );
}
