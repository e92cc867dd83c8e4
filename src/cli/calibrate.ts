import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { loadProfile } from "../config/load-profile.js";
import { UsageError } from "../core/errors.js";
import type { Profile } from "../core/profile.js";
import { unreadable } from "../core/unreadable.js";
import { metered, type Spent } from "../models/metered-model.js";
import { createModels } from "../models/role-models.js";
import { isPass } from "../report/task-summary.js";
import { examplesOfRun } from "../run/calibrate/examples-of-run.js";
import { judgeExamples } from "../run/calibrate/judge-examples.js";
import { runLogFile } from "../run/log/run-folder.js";
import { readRunLog } from "../run/log/run-log.js";
import { readRunState } from "../run/run-state.js";
import { type Calibration, calibrationOf } from "../validate/calibration/calibration.js";
import { type Example, JUDGES, type JudgeName, type RuledExample } from "../validate/calibration/example.js";
import { holdOut } from "../validate/calibration/hold-out.js";
import { readExamples } from "../validate/calibration/read-examples.js";
import { formatExamples } from "../validate/calibration/write-examples.js";
import { verifierVersion } from "../validate/verification/verifier-version.js";
import { calibrationLines, type Gate } from "./calibrate-output.js";
import { EXIT } from "./exit.js";
import { findRun } from "./find-run.js";
import { oneOf, rate, wholeNumber } from "./option-values.js";
import { cacheFolder, onInterrupt, systemClock } from "./surroundings.js";
import { printJson, printLines, stdoutStyle, warn } from "./text.js";

interface CalibrateOptions {
  readonly profile?: string;
  readonly validator: string;
  readonly holdout?: string;
  readonly repeats: string;
  readonly fromRun?: string;
  readonly minPass?: string;
  readonly minIntercept?: string;
  readonly set: readonly string[];
  readonly cacheDir?: string;
  readonly json?: boolean;
}

/** What a threshold is to reach where no gate says it: nine of ten good examples, and all bad ones (seed 3). */
const USUAL_TARGETS = { pass: 0.9, interception: 1 };

/**
 * `daw-eval calibrate`: how tight a judge is, by labelled examples. Exits 1 where a gate fails, 2 for examples that cannot be read, 3 where the
 * judge could not be heard.
 */
export async function calibrate(file: string | undefined, options: CalibrateOptions): Promise<number> {
  const judge = oneOf("--validator", options.validator, JUDGES);
  const count = options.holdout === undefined ? null : wholeNumber("--holdout", options.holdout, 0);
  const gates = gatesOf(options);
  const recorded = options.fromRun === undefined ? null : await ofRun(options.fromRun, judge);
  const examples = recorded?.map(({ example }) => example) ?? (await ofFile(file, judge));
  const held = holdOut(examples, count);
  if (recorded !== null && file !== undefined) await writeNew(file, formatExamples(held));
  const isRecorded = recorded !== null && options.profile === undefined && judge !== "goal";
  const profile = isRecorded ? null : await loadProfile(profileOptions(options));
  const { ruled, spent } =
    profile === null
      ? {
          ruled: held.map((example, index) => ({ example, rulings: recorded?.[index]?.rulings ?? [] })),
          spent: null,
        }
      : await ask(held, profile, options);
  const passedAt = profile !== null && judge === "goal" ? profile.verification.passed_at : null;
  const targets = {
    pass: gates.min_pass ?? USUAL_TARGETS.pass,
    interception: gates.min_intercept ?? USUAL_TARGETS.interception,
  };
  const about = { judge, profile, gates, spent, json: options.json === true };
  return report(calibrationOf(ruled, passedAt, targets), about);
}

interface Gates {
  readonly min_pass: number | null;
  readonly min_intercept: number | null;
}

function gatesOf({ minPass, minIntercept }: CalibrateOptions): Gates {
  return {
    min_pass: minPass === undefined ? null : rate("--min-pass", minPass),
    min_intercept: minIntercept === undefined ? null : rate("--min-intercept", minIntercept),
  };
}

const profileOptions = ({ profile, set }: CalibrateOptions) => ({
  file: profile ?? null,
  overrides: set,
  env: process.env,
});

async function ofFile(file: string | undefined, judge: JudgeName): Promise<readonly Example[]> {
  const starter = fileURLToPath(new URL(`../../configs/calibration/${judge}.jsonl`, import.meta.url));
  const text = await readFile(file ?? starter, "utf8").catch((error: unknown) => {
    throw new UsageError(`${file ?? starter}: ${unreadable(error)}`);
  });
  return readExamples(text, file ?? `configs/calibration/${judge}.jsonl`, judge);
}

async function ofRun(given: string, judge: JudgeName): Promise<readonly RuledExample[]> {
  const { folder, log } = await findRun(given);
  if (log !== runLogFile(folder)) {
    throw new UsageError(`--from-run ${given}: a lone log has no events to make examples from: give the run's folder`);
  }
  const run = await readRunState(readRunLog(log, warn));
  const { pass_min_score } = run.start.profile.scoring;
  const { examples, unscored } = await examplesOfRun(folder, run, judge, (score) => isPass(score, pass_min_score));
  if (unscored > 0) warn(`${unscored} candidates of ${given} have no score to label them by: left out`);
  if (examples.length === 0)
    throw new UsageError(`--from-run ${given}: it has no scored candidate to make examples from`);
  return examples;
}

/** Never over a file that is there: examples may have been labelled by hand. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx" }).catch((error: unknown) => {
    throw new UsageError(`${file}: cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function ask(
  examples: readonly Example[],
  profile: Profile,
  options: CalibrateOptions,
): Promise<{ readonly ruled: readonly RuledExample[]; readonly spent: Spent }> {
  const repeats = wholeNumber("--repeats", options.repeats, 1);
  const cacheDir = cacheFolder(options.cacheDir);
  const model = createModels(new Map([["main", profile]]), process.env, systemClock, cacheDir, null).get("main");
  if (model === undefined) throw new Error("the profile has no model");
  const interrupt = onInterrupt(() => process.stderr.write("\nstopping (again to quit at once)\n"));
  try {
    const meter = metered(model);
    const ruled = await judgeExamples(examples, { profile, model: meter.model, repeats, signal: interrupt.signal });
    return { ruled, spent: meter.spent() };
  } finally {
    interrupt.release();
  }
}

interface About {
  readonly judge: JudgeName;
  readonly profile: Profile | null;
  readonly gates: Gates;
  /** Null where the rulings are those that a run recorded. */
  readonly spent: Spent | null;
  readonly json: boolean;
}

function report(calibration: Calibration, about: About): number {
  const { judge, profile, gates, spent } = about;
  const checked = [
    gate("pass", gates.min_pass, calibration.pass.rate),
    gate("interception", gates.min_intercept, calibration.interception.rate),
  ].flat();
  const name = profile?.name ?? null;
  const version = profile !== null && judge === "goal" ? verifierVersion(profile) : null;
  if (about.json) {
    printJson({ validator: judge, profile: name, verifier_version: version, ...calibration, spent, gates: checked });
  } else {
    const title = `${judge} validator, ${name === null ? "as the run recorded it" : `profile ${name}`}${version === null ? "" : `, version ${version}`}`;
    printLines(calibrationLines(title, calibration, { gates: checked, spent }, stdoutStyle()));
  }
  const { good, bad } = calibration.without_score.unheard;
  if (good + bad > 0) return EXIT.incomplete;
  return checked.some(({ failed }) => failed) ? EXIT.gateFailed : EXIT.fine;
}

function gate(name: Gate["name"], least: number | null, found: number | null): Gate[] {
  if (least === null) return [];
  if (found === null) {
    const label = name === "pass" ? "good" : "bad";
    throw new UsageError(
      `--min-${name === "pass" ? name : "intercept"}: there is no ${label} example that a judge was heard on`,
    );
  }
  return [{ name, least, found, failed: found < least }];
}
