import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findProgram } from "../../context/query-capabilities.js";
import type { ProgramJob, ProgramRun, ProgramSandbox } from "../../core/ports/agent-program.js";
import { SandboxError } from "../../core/ports/query-worker.js";
import type { SandboxFound, SandboxKind } from "../../core/ports/sandbox.js";
import type { CommandConfig } from "../../core/profile.js";
import { isRoot } from "../bubble.js";
import { PYTHON } from "../python/python-command.js";
import { readableFolders } from "../python/python-context.js";
import { runsInFlight } from "../runs-in-flight.js";
import { insidePlaces, type MachinePlaces, programInBubble, programInput, programUnguarded } from "./agent-command.js";
import { runProgram } from "./agent-process.js";

/** A sandbox for agents that are programs. */
export function createProgramSandbox(kind: SandboxKind): ProgramSandbox {
  const contexts = readableFolders();
  const agents = new Map<string, Promise<string>>();
  const inFlight = runsInFlight();

  /** The program's folder as nobody can read it; copied once, where we are root and it is closed to others. */
  const agentFolder = (folder: string): Promise<string> => {
    const known = agents.get(folder) ?? copiedFolder(folder);
    agents.set(folder, known);
    return known;
  };
  const inBubble = async (job: ProgramJob, room: string): Promise<ProgramRun> => {
    const bwrap = findProgram("bwrap");
    if (bwrap === null) throw new SandboxError("bwrap is not installed any more");
    const places: MachinePlaces = {
      task: path.join(room, "task"),
      work: null,
      context: isRoot() ? await contexts.of(job.context_dir) : job.context_dir,
      agent: job.folder === null ? null : isRoot() ? await agentFolder(job.folder) : job.folder,
    };
    await mkdir(path.join(places.task, "context"));
    const command = programInBubble(bwrap, job, places);
    return runProgram(command, programInput(job, insidePlaces(job)), null, job.signal);
  };
  const run = async (job: ProgramJob): Promise<ProgramRun> => {
    const room = await taskRoom(job);
    try {
      return await (kind === "bwrap" ? inBubble(job, room) : unguarded(job, room));
    } finally {
      await rm(room, { recursive: true, force: true });
    }
  };
  return {
    kind,
    run: (job) => inFlight.during(job.signal, (signal) => run({ ...job, signal })),
    close: async () => {
      await inFlight.close();
      await contexts.close();
      for (const [folder, copy] of agents) {
        const made = await copy.catch(() => folder);
        if (made !== folder) await rm(made, { recursive: true, force: true });
      }
    },
  };
}

/** A folder of the trial's own with `task/task.json`: what the agent may know of the task, and nothing that lies beside its data. */
async function taskRoom({ task }: ProgramJob): Promise<string> {
  const room = await mkdtemp(path.join(tmpdir(), "daw-eval-agent-"));
  await chmod(room, 0o755);
  await mkdir(path.join(room, "task"));
  await writeFile(path.join(room, "task", "task.json"), `${JSON.stringify(task, null, 2)}\n`);
  return room;
}

async function unguarded(job: ProgramJob, room: string): Promise<ProgramRun> {
  const [task, work] = [path.join(room, "task"), path.join(room, "work")];
  await symlink(job.context_dir, path.join(task, "context"));
  await mkdir(work);
  const mark = randomUUID();
  const places = { task, work, agent: job.folder };
  // Inside a bubble the folder is /agent; here the same words lead to where it is.
  const argv = job.argv.map((word) =>
    job.folder !== null && (word === "/agent" || word.startsWith("/agent/"))
      ? path.join(job.folder, word.slice("/agent".length))
      : word,
  );
  return runProgram(programUnguarded({ ...job, argv }, places, mark), programInput(job, places), mark, job.signal);
}

async function copiedFolder(folder: string): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), "daw-eval-program-"));
  await cp(await realpath(folder), copy, { recursive: true, verbatimSymlinks: true });
  await chmod(copy, 0o755);
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const mode = (await stat(file)).mode & 0o777;
    await chmod(file, entry.isDirectory() || (mode & 0o100) !== 0 ? mode | 0o555 : mode | 0o444);
  }
  return copy;
}

/** What a program can run in on this machine, found out by running one. Never rejects. */
export async function findProgramSandbox({ sandbox, folder }: CommandConfig): Promise<SandboxFound> {
  if (folder !== null && !existsSync(folder)) return absent(`agent.command.folder: ${folder}: no such folder`);
  if (!existsSync(PYTHON))
    return absent(`${PYTHON}, which starts the program, is not installed (Debian: apt-get install python3)`);
  if (sandbox === "unsafe-none") {
    return {
      python: sandbox,
      reason: "agent.command.sandbox is unsafe-none: the agent runs with all your rights, in no sandbox",
    };
  }
  if (findProgram("bwrap") === null) {
    return absent(
      "bubblewrap is not installed (Debian: apt-get install bubblewrap; there is none for other systems than Linux); agent.command.sandbox: unsafe-none runs the program with all your rights",
    );
  }
  const trouble = await tryProgram();
  return trouble === null ? { python: "bwrap", reason: null } : absent(`bubblewrap does not work here: ${trouble}`);
}

const absent = (reason: string): SandboxFound => ({ python: null, reason });

const PROBE_MS = 20_000;

/** Null, or what is wrong: fails unless the file system of the machine is hidden. */
async function tryProgram(): Promise<string | null> {
  const sandbox = createProgramSandbox("bwrap");
  const folder = await mkdtemp(path.join(tmpdir(), "daw-eval-probe-"));
  try {
    const { failure } = await sandbox.run({
      argv: ["/bin/sh", "-c", `test -d /task/context && ! test -e '${folder}'`],
      folder: null,
      context_dir: folder,
      task: { task_id: "probe", question: "" },
      network: "none",
      memory_bytes: 2 ** 30,
      limits: { seconds: PROBE_MS / 1000, model_calls: 0, tokens: null, cost_usd: null },
      seed: 0,
      model: null,
      env: {},
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return failure === null ? null : "the sandbox does not hide the machine's files";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
