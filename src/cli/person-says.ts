import { readFile } from "node:fs/promises";
import { parseDocument } from "yaml";
import { readGoals, vagueWords } from "../agent/plan/planner-reply.js";
import { UsageError } from "../core/errors.js";
import type { PersonSays } from "../core/event-plan.js";
import { parseIdentity, type TrialIdentity } from "../core/identity.js";

export interface DecisionOptions {
  readonly trial?: string;
  readonly approve?: boolean;
  readonly reject?: string;
  readonly editPlan?: string;
}

/** What `--trial t#k --approve | --reject WHY | --edit-plan FILE` say; null where nothing is said. Throws UsageError. */
export async function decisionFrom(
  options: DecisionOptions,
): Promise<{ readonly trial: TrialIdentity; readonly says: PersonSays } | null> {
  const { trial, approve, reject, editPlan } = options;
  const given = [approve === true, reject !== undefined, editPlan !== undefined].filter((one) => one).length;
  if (trial === undefined && given === 0) return null;
  if (trial === undefined) throw new UsageError("name the paused trial that this is said to: --trial task_64#2");
  if (given !== 1) throw new UsageError(`--trial ${trial}: say one of --approve, --reject WHY and --edit-plan FILE`);
  return { trial: parseIdentity(trial), says: await saying(reject, editPlan) };
}

async function saying(reject: string | undefined, editPlan: string | undefined): Promise<PersonSays> {
  if (editPlan !== undefined) return { kind: "edit-plan", sub_goals: await readPlanFile(editPlan) };
  if (reject === undefined) return { kind: "approve" };
  if (reject.trim() === "") throw new UsageError('--reject "": say why; the planner is told');
  return { kind: "reject", why: reject.trim() };
}

/** A YAML or JSON file with `sub_goals`: two to six of `{goal, accept, tool_hint?}`. */
async function readPlanFile(file: string): Promise<Extract<PersonSays, { kind: "edit-plan" }>["sub_goals"]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--edit-plan ${file}: cannot be read (${error.code})`);
  });
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new UsageError(`${file}:${broken.linePos?.[0].line ?? 1}: not YAML: ${broken.message.split("\n")[0]}`);
  }
  const read = readGoals(document.toJS());
  if (!read.ok) {
    throw new UsageError(
      `${file}: ${read.problem}; a plan is sub_goals: [{goal: …, accept: …, tool_hint: …}], two to six`,
    );
  }
  const vague = vagueWords(read.goals);
  if (vague.length > 0) throw new UsageError(`${file}: nobody can check an accept that says "${vague.join('", "')}"`);
  return read.goals;
}
