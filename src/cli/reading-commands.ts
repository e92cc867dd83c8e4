import type { Command } from "commander";
import { collect } from "./option-values.js";
import { RUNS_FOLDER } from "./places.js";

/** What stands where a run is expected. */
export const A_RUN = "the run's folder, its run.jsonl, or its id under runs/";

/** Registers the commands that read runs, tasks and the machine: none of them calls a model or needs a key. Each loads its code when it runs. */
export function addReadingCommands(cli: Command, done: (code: number) => void): void {
  cli
    .command("report")
    .description("what runs say: pass rates with their errors, and what went wrong, a line a task")
    .argument("<runs...>", A_RUN)
    .option("--json", "print it as JSON")
    .option("--md <file>", "write it as Markdown too")
    .option("--html <file>", "write it with all trajectories as one page that opens from disk, too")
    .option("--gold <dir>", "with --html: show answers beside <dir>/task_<id>/gold.csv; the page then holds gold")
    .option("--junit <file>", "write it as JUnit too: a case a task")
    .option("--metric <name>", "what the headline is of: pass_rate or score", "pass_rate")
    .option("--min-pass <rate>", "exit 1 if the headline is below this, e.g. 0.6")
    .action(async (runs, options) => done(await (await import("./report.js")).report(runs, options)));

  cli
    .command("diff")
    .description("is head better or worse than base, beyond chance; several heads against the first run")
    .argument("<runs...>", `base, then head: ${A_RUN}, or the name of a baseline`)
    .option("--arm <base:head>", "compare these arms (default: arms of the same name); may be repeated", collect, [])
    .option("--fail-on <when>", "exit 1 if: worse, task-regression, any-drop, never", "worse")
    .option("--margin <points>", "let a drop of up to so many percentage points pass", "0")
    .option("--metric <name>", "what is compared: pass_rate or score", "pass_rate")
    .option("--allow-incomplete", "compare runs that are not whole")
    .option("--md <file>", "write it as Markdown too, for a pull-request comment")
    .option("--junit <file>", "write it as JUnit too: a case a task")
    .option("--json", "print it as JSON")
    .action(async (runs, options) => done(await (await import("./diff.js")).diff(runs, options)));

  cli
    .command("merge")
    .description("join the runs of a plan's shards (run --shard i/n) into one run")
    .argument("<runs...>", `one of each shard: ${A_RUN}`)
    .option("--out <dir>", "parent folder of the joined run", RUNS_FOLDER)
    .option("--run-id <id>", 'name of its folder (default: time and "merged")')
    .option("--json", "print the report as JSON")
    .action(async (runs, options) => done(await (await import("./merge.js")).merge(runs, options)));

  cli
    .command("show")
    .description("the trials of a run, or the trace of one: every step with its call, SQL, result and checks")
    .argument("<run>", A_RUN)
    .argument("[trial]", "task#repeat, e.g. task_64#2")
    .option("--full", "fold nothing: all rows, long results, reasoning")
    .option("--brief", "a line an event")
    .option("--at <seq>", "the trial's whole state after this event, as JSON")
    .option("--packet <seq>", "the evidence packet that the check of this event judged, as JSON")
    .option("--json", "print it as JSON")
    .action(async (run, trial, options) => done(await (await import("./show.js")).show(run, trial, options)));

  cli
    .command("replay")
    .description(
      "a stored run through today's code, from its log alone: does it ask and score the same? No model, key or data",
    )
    .argument("<run>", A_RUN)
    .argument("[trial]", "task#repeat: only this one")
    .option("--out <dir>", "parent folder of the replayed run", RUNS_FOLDER)
    .option("--run-id <id>", 'name of its folder (default: time and "replay")')
    .option("--tasks <dir>", "where the run's tasks and golds are now (default: where they were)")
    .option("--cache-dir <dir>", "where compiled task data is kept, for claim checks that ask it")
    .option("--json", "print it as JSON")
    .action(async (run, trial, options) => done(await (await import("./replay.js")).replay(run, trial, options)));

  cli
    .command("score")
    .description("score a stored run again, or any folder of predictions; no model is called")
    .argument("[run]", A_RUN)
    .option("--scorers <names>", "scorers to apply, comma-separated (default: those of the run's profile)")
    .option("--only-changed", "only tasks whose gold or checks changed since the run was planned")
    .option("--tasks <dir>", "where the run's tasks and golds are now (default: where they were)")
    .option("--predictions <dir>", "folder of task_<id>/prediction.csv, instead of a run")
    .option("--gold <dir>", "folder of task_<id>/gold.csv, with --predictions")
    .option("--scorer <name>", "with --predictions: the scorer (default kdd-columns)")
    .option("--penalty <λ>", "with --predictions: penalty for extra columns (default 0.1)")
    .option("--names <how>", "with --predictions: accept or strict (default accept)")
    .option("--cache-dir <dir>", "where compiled task data is kept")
    .option("--json", "print it as JSON")
    .action(async (run, options) => done(await (await import("./score.js")).score(run, options)));

  cli
    .command("verify")
    .description("what a text, or each conclusion of a run, claims against the values that a database really holds")
    .argument("[run]", A_RUN)
    .option("--text <file>", "the text to verify, - for stdin, instead of a run")
    .option("--checks <file>", "checks.yaml (with a run: for all its tasks, instead of their own)")
    .option("--context <dir>", "with --text: the task's data, for checks that ask it")
    .option("--tasks <dir>", "where the run's tasks and checks are now (default: where they were)")
    .option("--fail-on <level>", "exit 1 if there is any red: red")
    .option("--label", "ask which reds are real, and keep the answers")
    .option("--labels <file>", "labels to read and add to (default: the check's own, else claim-labels.jsonl)")
    .option("--cache-dir <dir>", "where compiled task data is kept")
    .option("--json", "print it as JSON")
    .action(async (run, options) => done(await (await import("./verify.js")).verify(run, options)));

  cli
    .command("tasks")
    .description("list the tasks of a suite, look at one, or find what is wrong with them")
    .argument("<dir>", "a suite (folder with input/), a folder of task folders, or one task folder")
    .argument("[task_id]", "look at this task: question, files, tables, what is uncertain")
    .option("--lint", "report problems; exit 2 if there are errors")
    .option("--cache-dir <dir>", "where compiled task data is kept")
    .option("--json", "print it as JSON")
    .action(async (dir, taskId, options) => done(await (await import("./tasks.js")).tasks(dir, taskId, options)));

  cli
    .command("import")
    .description("runs of the official starter kit as one run of ours, a repeat each, to score, report and diff")
    .argument("<folders...>", "artifacts/runs/<id> of the kit; several are repeats of each other")
    .option("--tasks <dir>", "the tasks and golds that were run: scores at once, and makes the run comparable")
    .option("--model <name>", "the model that was asked: the kit's files do not say")
    .option("--out <dir>", "parent folder of the run", RUNS_FOLDER)
    .option("--run-id <id>", 'name of its folder (default: time and "import")')
    .option("--cache-dir <dir>", "where compiled task data is kept, for claim checks that ask it")
    .option("--json", "print it as JSON")
    .action(async (folders, options) => done(await (await import("./import.js")).importKit(folders, options)));

  cli
    .command("export")
    .description("the answers of a run as <dir>/task_<id>/prediction.csv, for submission")
    .argument("<run>", "the run's folder, or its id under runs/")
    .requiredOption("--kdd <dir>", "where to write them")
    .option("--repeat <k>", "the answers of this repeat (default: of each task the answer that most repeats gave)")
    .option("--arm <name>", "the arm, where the run has several")
    .option("--json", "print it as JSON")
    .action(async (run, options) => done(await (await import("./export.js")).exportRun(run, options)));

  addRunsCommands(cli, done);
  addBaselineCommands(cli, done);

  cli
    .command("doctor")
    .description("what works on this machine, and what is weaker without the rest")
    .option(
      "--clean [mib]",
      "trim the cache to this many MiB (default 2048), least recently used first; remove what killed runs left in the temporary folder",
    )
    .option("--cache-dir <dir>", "where compiled task data is kept")
    .option("--json", "print it as JSON")
    .action(async (options) => done(await (await import("./doctor.js")).doctor(options)));
}

function addBaselineCommands(cli: Command, done: (code: number) => void): void {
  const baseline = cli.command("baseline").description("runs that are kept in git, to compare with");
  baseline
    .command("save")
    .description("write what diff needs of a run into runs/baselines/<name>.jsonl")
    .argument("<run>", A_RUN)
    .option("--name <name>", "name of the baseline (default: the suite's)")
    .action(async (run, options) => done(await (await import("./baseline.js")).save(run, options)));
  baseline
    .command("list", { isDefault: true })
    .description("baselines with their pass rates")
    .option("--json", "print it as JSON")
    .action(async (options) => done(await (await import("./baseline.js")).list(options)));
}

function addRunsCommands(cli: Command, done: (code: number) => void): void {
  const runs = cli.command("runs").description("the runs of a folder: list them, delete some");
  runs
    .command("list", { isDefault: true })
    .description("status, tasks, pass rate and size of each, newest first")
    .option("--dir <dir>", "the folder of runs", RUNS_FOLDER)
    .option("--json", "print it as JSON")
    .action(async (options) => done(await (await import("./runs.js")).listRuns(options)));
  runs
    .command("clean")
    .description("delete selected runs; without --yes only says which and how large; never baselines")
    .argument("[ids...]", "only these")
    .option("--keep <n>", "all but the newest n")
    .option("--older-than <days>", "only those that started so many days ago")
    .option("--yes", "really delete")
    .option("--dir <dir>", "the folder of runs", RUNS_FOLDER)
    .option("--json", "print it as JSON")
    .action(async (ids, options) => done(await (await import("./runs.js")).cleanRuns(ids, options)));
}
