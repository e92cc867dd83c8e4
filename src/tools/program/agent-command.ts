import path from "node:path";
import { findProgram } from "../../context/query-capabilities.js";
import type { ProgramJob } from "../../core/ports/agent-program.js";
import { inBubble, limited, type ProcessLimits } from "../bubble.js";
import { PYTHON, type PythonCommand } from "../python/python-command.js";
import { AGENT_LAUNCHER } from "./agent-launcher.js";

/** Bytes that are taken of each file that an agent hands back. */
export const HANDED_BACK = { "prediction.csv": 64 * 2 ** 20, "trace.json": 64 * 2 ** 20, "conclusion.md": 2 ** 20 };

/** Bytes of the work folder, and of any one file in it. */
const WORK_BYTES = 2 ** 30;
const OPEN_FILES = 1024;
const PROCESSES = 256;
/** Inside a sandbox without a network nobody else has a port. */
const LOOPBACK_PORT = 8765;
const SYSTEM_NETWORK_FILES = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/ssl",
  "/etc/ca-certificates",
];

/** Names of everything that the program is shown, as it sees them. */
export interface ProgramPlaces {
  readonly task: string;
  readonly work: string;
  readonly agent: string | null;
}

/** The places on the machine: a folder of the trial's own with `task/` and `port/`, and the program's. */
export interface MachinePlaces {
  readonly task: string;
  /** Only without a sandbox: an empty folder. */
  readonly work: string | null;
  readonly context: string;
  readonly agent: string | null;
}

export function insidePlaces(job: ProgramJob): ProgramPlaces {
  return { task: "/task", work: "/work", agent: job.folder === null ? null : "/agent" };
}

/** What the program reads from stdin, as one JSON object. No gold, no difficulty. */
export function programInput(job: ProgramJob, places: ProgramPlaces): string {
  const { task, limits, seed, model } = job;
  return JSON.stringify({
    ...task,
    task_dir: places.task,
    context_dir: path.join(places.task, "context"),
    work_dir: places.work,
    prediction: path.join(places.work, "prediction.csv"),
    trace: path.join(places.work, "trace.json"),
    conclusion: path.join(places.work, "conclusion.md"),
    limits,
    seed,
    model: model === null ? null : { base_url: baseUrl(job), api_key: model.token, name: model.name },
  });
}

/** The program in a bubble: the task and its own folder read-only, an empty work folder in memory, the model's socket. */
export function programInBubble(bwrap: string, job: ProgramJob, outside: MachinePlaces): PythonCommand {
  const places = insidePlaces(job);
  const address = job.model?.address;
  const socket = address?.kind === "socket" ? address : null;
  const folders: (readonly [string, string])[] = [
    [outside.task, places.task],
    [outside.context, path.join(places.task, "context")],
    ...(outside.agent === null ? [] : [[outside.agent, "/agent"] as const]),
    ...(socket === null ? [] : [[socket.folder, "/port"] as const]),
  ];
  const [file, ...args] = inBubble(bwrap, {
    folders,
    files: job.network === "allow" ? SYSTEM_NETWORK_FILES : [],
    work: { path: places.work, bytes: WORK_BYTES },
    network: job.network,
    limits: processLimits(job),
    processes: PROCESSES,
    // The environment is all for the program's eyes: it comes with bwrap's own, where no other user of the machine can read it.
    environment: [],
    command: launcher(job, places, socket === null ? null : `/port/${socket.name}`),
  });
  return { file, args, cwd: "/", env: environment(job, places) };
}

/** The program as it is, with the rights of whoever runs us: only for a profile that says `unsafe-none`. `mark` is in the environment of all its processes. */
export function programUnguarded(job: ProgramJob, places: ProgramPlaces, mark: string): PythonCommand {
  const bounds = findProgram("prlimit") === null ? [] : limited(processLimits(job), []);
  const [file = PYTHON, ...args] = [...bounds, ...launcher(job, places, null)];
  return { file, args, cwd: places.work, env: { ...environment(job, places), [MARK]: mark } };
}

/** Name of the variable that marks what belongs to a program without a sandbox. */
export const MARK = "DAW_EVAL_PROGRAM";

function processLimits({ limits, memory_bytes }: ProgramJob): ProcessLimits {
  const seconds = Math.ceil(limits.seconds) + 1;
  return { seconds, memory_bytes, file_bytes: WORK_BYTES, open_files: OPEN_FILES };
}

function launcher({ argv }: ProgramJob, { work }: ProgramPlaces, socket: string | null): string[] {
  const plan = { argv, work, socket, loopback: LOOPBACK_PORT, files: HANDED_BACK };
  return [PYTHON, "-s", "-c", AGENT_LAUNCHER, JSON.stringify(plan)];
}

/** The model's variables have the names that the competition's containers use, and those of the OpenAI clients. */
function environment(job: ProgramJob, places: ProgramPlaces): Record<string, string> {
  const { model } = job;
  const url = model === null ? {} : { MODEL_API_URL: baseUrl(job), OPENAI_BASE_URL: baseUrl(job) };
  const key = model === null ? {} : { MODEL_API_KEY: model.token, OPENAI_API_KEY: model.token, MODEL_NAME: model.name };
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    TZ: "UTC",
    PYTHONHASHSEED: "0",
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONUNBUFFERED: "1",
    HOME: places.work,
    ...url,
    ...key,
    ...job.env,
  };
}

function baseUrl({ model }: ProgramJob): string {
  const port = model?.address.kind === "loopback" ? model.address.port : LOOPBACK_PORT;
  return `http://127.0.0.1:${port}/v1`;
}
