import path from "node:path";
import type { TrialEventBody } from "../../core/event.js";
import { linkedSignal } from "../../core/linked-signal.js";
import type { ProgramJob, ProgramRun, ProgramSandbox } from "../../core/ports/agent-program.js";
import type { ChatModel } from "../../core/ports/chat-model.js";
import type { Clock } from "../../core/ports/clock.js";
import type { TrialLog } from "../../core/ports/trial-log.js";
import type { CommandConfig, Profile } from "../../core/profile.js";
import type { TrialState } from "../../core/state.js";
import type { Task } from "../../core/task.js";
import { scrubberFor } from "../../models/secrets.js";
import type { WorkClock } from "../work-clock.js";
import { returnedEvents } from "./command-return.js";
import { openModelPort } from "./model-port.js";
import { modelService } from "./model-service.js";

/** What a running command may do to its trial. */
export interface CommandStage {
  readonly state: () => TrialState;
  readonly profile: Profile;
  readonly append: (body: TrialEventBody) => void;
  /** Resolves when all that was appended is on disk. */
  readonly onDisk: () => Promise<void>;
}

/** Runs the program that is the agent and appends what came of it; at least how it ended, unless a limit did. Rejects as sandboxes do. */
export type RunCommand = (command: CommandConfig, stage: CommandStage, signal: AbortSignal) => Promise<void>;

export interface CommandPorts {
  readonly sandbox: ProgramSandbox;
  readonly model: ChatModel;
  readonly task: Task;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: TrialLog;
  readonly clock: Clock;
  readonly workClock: WorkClock;
}

export function commandRunner(ports: CommandPorts): RunCommand {
  return async (command, stage, signal) => {
    const { sandbox, model, clock, workClock, log } = ports;
    const { argv, network, env: names } = command;
    const given = Object.fromEntries(names.map((name) => [name, ports.env[name] ?? ""]));
    const scrubber = scrubberFor(Object.values(given));
    const before = clock.milliseconds();
    stage.append({ type: "command-started", argv, sandbox: sandbox.kind, network, env: names });
    const stop = linkedSignal([signal]);
    const service = modelService({ model, workClock, stop: (reason) => stop.abort(reason) }, stage);
    // What rejects while nobody has hung up is our bug, or the disk's trouble: the program must not be blamed for it.
    const serve: typeof service = (request, asker) =>
      service(request, asker).catch((error: unknown) => {
        if (!asker.aborted) stop.abort(error);
        throw error;
      });
    const port = await openModelPort({
      model: stage.profile.model.name,
      defaults: {
        temperature: stage.profile.model.temperature,
        seed: stage.state().started?.seed ?? null,
        max_output_tokens: stage.profile.model.max_output_tokens,
      },
      kind: sandbox.kind === "bwrap" && network === "none" ? "socket" : "loopback",
      serve,
    });
    let run: ProgramRun;
    try {
      run = await sandbox.run(jobOf(command, ports, stage, port, given, stop.signal));
    } catch (error) {
      // A limit that the model's answers used up is in the log already.
      if (stage.state().limit !== null && !signal.aborted) return;
      throw error;
    } finally {
      stop.release();
      await port.close();
    }
    if (stage.state().limit !== null) return;
    const ms = clock.milliseconds() - before;
    const most_rows = stage.profile.tools.max_answer_rows;
    for (const event of await returnedEvents(run, { log, scrubber, ms, most_rows })) stage.append(event);
  };
}

function jobOf(
  command: CommandConfig,
  { task }: CommandPorts,
  { profile, state }: CommandStage,
  port: Awaited<ReturnType<typeof openModelPort>>,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): ProgramJob {
  const { limits, model, agent } = profile;
  const { task_id, question } = task;
  return {
    argv: command.argv,
    folder: command.folder === null ? null : path.resolve(command.folder),
    context_dir: task.context_dir,
    task: { task_id, question },
    network: command.network,
    memory_bytes: command.memory_mb * 2 ** 20,
    limits: {
      seconds: limits.seconds,
      model_calls: agent.max_steps,
      tokens: limits.tokens,
      cost_usd: limits.cost_usd,
    },
    seed: state().started?.seed ?? 0,
    model: model.provider === "none" ? null : { address: port.address, name: model.name, token: port.token },
    env,
    signal,
  };
}
