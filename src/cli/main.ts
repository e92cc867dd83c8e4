import { Command, CommanderError } from "commander";
import { RunLogError, StorageError, UsageError } from "../core/errors.js";
import { EXIT } from "./exit.js";
import { HELP_LAYOUT } from "./help-layout.js";
import { addJudgingCommands } from "./judging-commands.js";
import { collect } from "./option-values.js";
import { packageVersion } from "./package-version.js";
import { RUNS_FOLDER } from "./places.js";
import { A_RUN, addReadingCommands } from "./reading-commands.js";

/**
 * The command line. Only commander is loaded here; each command loads what it needs when it runs, so that `--help` is instant. A command
 * returns its exit code.
 */
function program(done: (code: number) => void): Command {
  const cli = new Command("daw-eval")
    .description("Find out whether a data agent is right, how it was right, and whether today's change made it better.")
    .version(packageVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp(HELP_LAYOUT)
    // What is wrong is said once, in `explain`.
    .configureOutput({ outputError: () => {} });

  cli
    .command("run")
    .description("run every task n times, score it, write the log")
    .argument("<tasks>", "a suite (folder with input/), a folder of task folders, or one task folder")
    .option(
      "-p, --profile <file>",
      "profile YAML, or the name of a packaged one (default: builtin: no key, no network)",
    )
    .option("-n, --repeats <n>", "how often each task runs (default 3)")
    .option("--only <ids>", "task ids or globs, comma-separated; may be repeated", collect, [])
    .option("--tag <tag>", "only tasks with this tag; may be repeated", collect, [])
    .option("--limit <n>", "at most so many tasks")
    .option("--shard <i/n>", "the i-th of n fair parts of the tasks")
    .option("--arm <name>", "only this arm of the profile's matrix, a name or a glob; may be repeated", collect, [])
    .option("--concurrency <n>", "trials in flight at once (default 4)")
    .option("--seed <n>", "seed of the run")
    .option(
      "--set <key=value>",
      "override a key of the profile, e.g. model.temperature=0; may be repeated",
      collect,
      [],
    )
    .option("--out <dir>", "parent folder of the run", RUNS_FOLDER)
    .option("--run-id <id>", "name of the run's folder (default: time and suite)")
    .option("--cache-dir <dir>", "where compiled task data is kept")
    .option("--dry-run", "print the plan and do nothing")
    .option("--min-pass <rate>", "exit 1 if the pass rate is below this, e.g. 0.6")
    .option("--pause <points>", "where a plan's trials wait for a person: after-plan, before-finalize, or both")
    .option("--json", "print the report as JSON")
    .option("--no-progress", "no live view, and no line a trial")
    .option("--quiet", "on stderr nothing but warnings")
    .action(async (tasks, options) => done(await (await import("./run.js")).run(tasks, options)));

  cli
    .command("resume")
    .description("continue a run: open trials from their events, missing ones anew")
    .argument("<run>", A_RUN)
    .option("-p, --profile <file>", "refuse unless this is the run's profile")
    .option("--trial <task#k>", "the paused trial that one of the next three is said to")
    .option("--approve", "let it go on as it is")
    .option("--reject <why>", "have another plan made; the planner is told why")
    .option("--edit-plan <file>", "go on with this plan: sub_goals of {goal, accept, tool_hint}, YAML or JSON")
    .option("--retry-failed", "run trials that ended in an infra-error again, as new attempts; nothing else is touched")
    .option("--force", "go on although profile, tasks or scorers changed; the difference is recorded")
    .option("--cache-dir <dir>", "where compiled task data is kept")
    .option("--json", "print the report as JSON")
    .option("--no-progress", "no live view, and no line a trial")
    .option("--quiet", "on stderr nothing but warnings")
    .action(async (run, options) => done(await (await import("./resume.js")).resume(run, options)));

  cli
    .command("container")
    .description("the competition's container: /input → /output, begun or, after a restart, continued")
    .option("--input <dir>", "the tasks, read-only", "/input")
    .option(
      "--output <dir>",
      "where each prediction is written as soon as it is there: task_<id>/prediction.csv",
      "/output",
    )
    .option("--logs <dir>", "where the run is kept", "/logs")
    .option("-p, --profile <file>", "profile YAML, or the name of a packaged one", "docker")
    .option("--set <key=value>", "override a key of the profile; may be repeated", collect, [])
    .option("--cache-dir <dir>", "where compiled task data is kept (default: cache/ of the logs)")
    .action(async (options) => done(await (await import("./container.js")).container(options)));

  addReadingCommands(cli, done);
  addJudgingCommands(cli, done);
  return cli;
}

async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.fine;
  const cli = program((value) => {
    code = value;
  });
  try {
    await cli.parseAsync([...argv]);
    return code;
  } catch (error) {
    return explain(error, argv.slice(2), cli);
  }
}

/** One line for what a person can mend, a stack for what is our bug. */
function explain(error: unknown, words: readonly string[], cli: Command): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.fine;
    if (error.code !== "commander.help") process.stderr.write(`daw-eval: ${mistake(error, words, cli)}\n`);
    return EXIT.usage;
  }
  if (error instanceof UsageError) {
    for (const line of error.lines) process.stderr.write(`daw-eval: ${line}\n`);
    return EXIT.usage;
  }
  if (error instanceof RunLogError) {
    process.stderr.write(`daw-eval: ${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof StorageError || isSystemError(error)) {
    process.stderr.write(`daw-eval: ${error.message}\n`);
    return EXIT.incomplete;
  }
  process.stderr.write(
    `daw-eval: a bug; please report it with these lines:\n${error instanceof Error ? error.stack : error}\n`,
  );
  return EXIT.bug;
}

/** What commander says of a command line, in one line with where to look. */
function mistake(
  { code, message }: CommanderError,
  [command = "", below = "-"]: readonly string[],
  cli: Command,
): string {
  const names = cli.commands.find((one) => one.name() === command)?.commands.map((one) => one.name()) ?? [];
  // A group's default command takes the word that names no other one for an argument too many.
  const isNoName =
    code === "commander.excessArguments" && names.length > 0 && !/^-/.test(below) && !names.includes(below);
  const said = isNoName
    ? `unknown command '${below}' of ${command}: ${names.join(", ")}`
    : message.replace(/^error: /, "").replace(/\s*\(Did you mean (.*)\?\)$/s, "; did you mean $1?");
  const isKnown = code !== "commander.unknownCommand" && /^[a-z]+$/.test(command);
  return `${said.replace(/\.$/, "")} (see daw-eval ${isKnown ? `${command} ` : ""}--help)`;
}

/** Full disk, missing permission and the like: the machine's trouble, not a bug. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code);
}

// A reader that has seen enough (`| head`) closes the pipe; the command still ends as it would, with its own exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

process.exitCode = await main(process.argv);
