import { contextImages } from "../../context/context-images.js";
import { NO_CATALOG } from "../../core/catalog.js";
import { NO_PROMPTS, type TrialStarted } from "../../core/event.js";
import { trialSeed } from "../../core/identity.js";
import { languageOf } from "../../core/language.js";
import type { ProgramSandbox } from "../../core/ports/agent-program.js";
import type { ChatModel } from "../../core/ports/chat-model.js";
import type { TrialState } from "../../core/state.js";
import { openTrialLog } from "../log/trial-log.js";
import { runTrial, type TrialPorts } from "../run-trial.js";
import type { RunRoom, TrialRequest } from "../trial-runner.js";
import { createWorkClock } from "../work-clock.js";
import { commandRunner, type RunCommand } from "./run-command.js";

/** A trial whose agent is a program: it reads the task's data itself, so that nothing is compiled and no tool of ours is offered. */
export async function runProgramTrial(
  { task, identity, attempt, profile, onState }: TrialRequest,
  { runFolder, start, env, clock, cancel, deadline }: RunRoom,
  model: ChatModel,
  sandbox: ProgramSandbox,
): Promise<TrialState> {
  const begin = programStarted(identity, attempt, start.seed, task.question);
  const workClock = createWorkClock(clock);
  const log = openTrialLog(runFolder, identity, attempt);
  const runCommand = commandRunner({ sandbox, model, task, env, log, clock, workClock });
  const images = contextImages(task.context_dir);
  try {
    const ports = { model, ...NO_TOOLS, runCommand, images, log, clock, workClock, cancel, deadline, onState };
    return await runTrial(begin, profile, ports);
  } finally {
    await log.close();
  }
}

/** The first event of a trial whose agent is not ours: it was told the question, and nothing that we made of the data. */
export function programStarted(
  trial: TrialRequest["identity"],
  attempt: number,
  runSeed: number,
  question: string,
): TrialStarted {
  return {
    type: "trial-started",
    trial,
    attempt,
    seed: trialSeed(runSeed, trial.task_id, trial.k),
    question,
    catalog: NO_CATALOG,
    knowledge: null,
    tools: [],
    absent_tools: [],
    prompts: NO_PROMPTS,
    language: languageOf(question),
    context_digest: "",
    claim_checks: [],
  };
}

/** A program calls no tool of ours, and its trial is neither checked on the way nor paused. */
const NO_TOOLS: Pick<TrialPorts, "callTool" | "queryData" | "askPerson"> = {
  askPerson: () => null,
  callTool: async () => Promise.reject(new Error("a program's trial has no tools of ours")),
  queryData: async () => Promise.reject(new Error("a program's trial is not checked on the way")),
};

/** For the trials of agents of our own. */
export const noProgram: RunCommand = async () => Promise.reject(new Error("the agent of this trial is no program"));
