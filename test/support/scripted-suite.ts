import { writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { trialSeed } from "../../src/core/identity.js";
import { type CliRun, cli } from "./cli.js";
import { folderWith } from "./folder.js";
import { type ChatBody, errorReply, type ModelServer, startModelServer, toolCallReply } from "./model-server.js";
import { writeTask } from "./suite.js";

const RED = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
const ALL = "SELECT count(*) AS n FROM fruit";

/** Which trial a request is of: tasks say their id in the question, repeats differ by their seed. */
export interface AskedTrial {
  readonly task_id: string;
  readonly k: number;
  readonly body: ChatBody;
}

/** What the model does in a trial: the right answer, a wrong one, or its endpoint refuses the key. */
export type Act = "right" | "wrong" | "infra";

export interface ScriptedSuite {
  /** Working folder, with the tasks in `suite/`. */
  readonly folder: string;
  readonly server: ModelServer;
  /** `daw-eval …` in the folder. */
  cli(...args: string[]): Promise<CliRun>;
  /** `daw-eval run suite --run-id ID …` with the scripted model; `yaml`: more of the profile. */
  run(id: string, args?: readonly string[], yaml?: string): Promise<CliRun>;
}

/** A suite of tasks with the gold 2 and a model over HTTP that acts by a script, for runs through the command line. */
export async function scriptedSuite(
  taskIds: readonly string[],
  act: (trial: AskedTrial) => Act,
): Promise<ScriptedSuite> {
  const folder = folderWith();
  for (const task_id of taskIds) await addTask(folder, task_id);
  const server = await startModelServer((request) => {
    const does = act(askedTrial(request.body));
    if (does === "infra") return errorReply(401, "no such key");
    const sql = does === "right" ? RED : ALL;
    const args = { tool_name: "execute_probe_query", tool_args: { queries: [sql] }, conclusion: "Counted." };
    return toolCallReply([{ name: "submit_tool_result", args }]);
  });
  onTestFinished(() => server.close());
  const run: ScriptedSuite["run"] = (id, args = [], yaml = "") => {
    const profile = `${id}.yaml`;
    const model = `{provider: openai, name: scripted, base_url: "${server.base_url}", retries: {max: 0}}`;
    writeFileSync(path.join(folder, profile), `model: ${model}\n${yaml}`);
    const where = ["--run-id", id, "--cache-dir", "cache", "--quiet"];
    return cli(["run", "suite", "-p", `./${profile}`, ...where, ...args], { cwd: folder });
  };
  return { folder, server, cli: (...args) => cli(args, { cwd: folder }), run };
}

/** Adds a task to the suite in `folder`, or writes it anew. */
export async function addTask(folder: string, task_id: string, gold = "n\n2\n"): Promise<void> {
  await writeTask(path.join(folder, "suite"), { task_id, question: `${task_id}: how many fruit are red?`, gold });
}

function askedTrial(body: ChatBody): AskedTrial {
  const said = body.messages.map(({ content }) => content).join("\n");
  const [, task_id = ""] = /(\w+): how many fruit are red\?/.exec(said) ?? [];
  const k = Array.from({ length: 9 }, (_, index) => index + 1).find((one) => trialSeed(0, task_id, one) === body.seed);
  if (k === undefined) throw new Error(`the seed ${body.seed} is no trial's of ${task_id}`);
  return { task_id, k, body };
}
