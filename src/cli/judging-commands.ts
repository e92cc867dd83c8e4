import type { Command } from "commander";
import { collect } from "./option-values.js";

/** Registers the commands about the judges themselves: how tight they are, and one of them as a service. Each loads its code when it runs. */
export function addJudgingCommands(cli: Command, done: (code: number) => void): void {
  cli
    .command("calibrate")
    .description("how tight is a validator: what it passes of good examples and intercepts of bad ones")
    .argument(
      "[examples.jsonl]",
      "one labelled example a line (default: the starter set); with --from-run: where to write those of the run",
    )
    .option("-p, --profile <file>", "whose judge: profile YAML, or the name of a packaged one (default: builtin)")
    .option("--validator <name>", "goal, process or answer", "goal")
    .option("--holdout <n>", "hold out so many good and so many bad examples (default: those marked holdout)")
    .option("-n, --repeats <n>", "ask about each example so often, to see how consistent the judge is", "1")
    .option("--from-run <run>", "make the examples from this scored run; without -p its own verdicts are measured")
    .option("--min-pass <rate>", "exit 1 if fewer good examples pass, e.g. 0.9")
    .option("--min-intercept <rate>", "exit 1 if fewer bad examples are intercepted, e.g. 1.0")
    .option("--set <key=value>", "override a key of the profile; may be repeated", collect, [])
    .option("--cache-dir <dir>", "where responses are kept, where the profile keeps them")
    .option("--json", "print it as JSON")
    .action(async (examples, options) => done(await (await import("./calibrate.js")).calibrate(examples, options)));

  cli
    .command("serve")
    .description("the verifier as a service over HTTP: POST /v1/verify, GET /healthz, GET /openapi.json")
    .option(
      "-p, --profile <file>",
      "whose verifier to keep: profile YAML, or the name of a packaged one; may be repeated, the first is the default",
      collect,
      [],
    )
    .option("--port <port>", "0: any free one", "8787")
    .option("--host <address>", "any but the loopback needs --token-env", "127.0.0.1")
    .option("--token-env <name>", "environment variable that holds the bearer token to ask for")
    .option("--set <key=value>", "override a key of every profile; may be repeated", collect, [])
    .option("--cache-dir <dir>", "where responses are kept, where a profile keeps them")
    .action(async (options) => done(await (await import("./serve.js")).serve(options)));
}
