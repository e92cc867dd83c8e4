import { shortened } from "../../core/observation.js";
import { fullEvidence } from "../../core/plan-outputs.js";
import type { PlanEvidence, PlanOutput } from "../../core/plan-state.js";
import type { TrialState } from "../../core/state.js";
import { countTokens } from "../../core/tokens.js";
import type { PlanTexts } from "./prompts.js";

/** Characters of an earlier output that prompts show. */
const OUTPUT_CHARACTERS = 400;

/** What prompts show of one output, or of several that were folded into one text. */
export interface ShownOutput {
  readonly sub_goals: readonly string[];
  readonly text: string;
  readonly compressed: boolean;
}

/** Finished outputs of all plans, oldest first; those that were folded together are one. */
export function shownOutputs({ plan: { outputs } }: TrialState): readonly ShownOutput[] {
  const shown: ShownOutput[] = [];
  const folded = new Set<string>();
  for (const [id, output] of finished(outputs)) {
    if (folded.has(id)) continue;
    const { compressed } = output;
    if (compressed === null) shown.push({ sub_goals: [id], text: output.text, compressed: false });
    else {
      for (const member of compressed.sub_goals) folded.add(member);
      shown.push({ ...compressed, compressed: true });
    }
  }
  return shown;
}

function finished(outputs: Readonly<Record<string, PlanOutput>>): [string, PlanOutput][] {
  return Object.entries(outputs).filter(([, { passed }]) => passed);
}

/** The lines of finished outputs, each shortened; a folded one says so. */
export function outputLines(state: TrialState, text: PlanTexts): string[] {
  return shownOutputs(state).map(({ sub_goals, text: said, compressed }) => {
    const goals = sub_goals.map((id) => `${id} (${state.plan.outputs[id]?.goal ?? ""})`).join(", ");
    return `${goals}${compressed ? ` [${text.compressed}]` : ""}: ${shortened(said, OUTPUT_CHARACTERS)}`;
  });
}

export function evidenceLines(evidence: readonly PlanEvidence[]): string[] {
  return evidence.map(({ id, digest }) => `[${id}] ${digest}`);
}

/** Tokens of earlier outputs and evidence: as prompts show them, and in full. What the difference saves is in the log. */
export function tokensShown(state: TrialState, text: PlanTexts): { shown: number; full: number } {
  const { evidence, outputs } = state.plan;
  const shown = [...outputLines(state, text), ...evidenceLines(evidence)].join("\n");
  const full = [
    ...finished(outputs).map(([, output]) => output.text),
    ...evidence.flatMap((one) => fullEvidence(state.trajectory, one)?.content ?? []),
  ];
  return { shown: countTokens(shown), full: countTokens(full.join("\n")) };
}
