import { UsageError } from "../core/errors.js";
import { oneOf } from "./option-values.js";

export interface VerifyOptions {
  readonly text?: string;
  readonly checks?: string;
  readonly context?: string;
  readonly tasks?: string;
  readonly failOn?: string;
  readonly label?: boolean;
  readonly labels?: string;
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/** `daw-eval verify`: the claims of a text, or of all conclusions of a stored run, against value domains. No model, no key. */
export async function verify(run: string | undefined, options: VerifyOptions): Promise<number> {
  if (options.failOn !== undefined) oneOf("--fail-on", options.failOn, ["red"]);
  if (options.label === true && options.json === true) throw new UsageError("--label asks questions: leave --json out");
  if (run !== undefined) {
    for (const [flag, value] of [
      ["--text", options.text],
      ["--context", options.context],
    ]) {
      if (value !== undefined)
        throw new UsageError(`${flag} goes without a run, whose conclusions and tasks are known`);
    }
    return (await import("./verify-run.js")).verifyRun(run, options);
  }
  if (options.text === undefined || options.checks === undefined) {
    throw new UsageError("name a run whose conclusions to verify, or give --text FILE (- for stdin) and --checks FILE");
  }
  if (options.tasks !== undefined) throw new UsageError("--tasks goes with a run");
  if (options.label === true && options.text === "-") {
    throw new UsageError("--label asks questions on stdin, which --text - reads: give the text as a file");
  }
  return (await import("./verify-text.js")).verifyText(options.text, options.checks, options);
}
