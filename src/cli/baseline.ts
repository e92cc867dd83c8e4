import { readdir } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../core/errors.js";
import { isSafeName } from "../core/identity.js";
import { whatIsMissing } from "../report/diff/diff.js";
import { percent } from "../report/numbers.js";
import { gatherFacts } from "../report/run-facts.js";
import { summariseRun } from "../report/summary.js";
import { formatTable, type TableColumn } from "../report/text-table.js";
import { oneLine } from "../report/text-width.js";
import { saveBaseline } from "../run/baseline.js";
import { readRunLog } from "../run/log/run-log.js";
import { EXIT } from "./exit.js";
import { findRun } from "./find-run.js";
import { BASELINES_FOLDER } from "./places.js";
import { printJson, printLines, stdoutStyle, warn } from "./text.js";

/** `daw-eval baseline save`: exits 3 for a run that is not whole, which would make every diff against it incomplete. */
export async function save(run: string, { name }: { readonly name?: string }): Promise<number> {
  const { log } = await findRun(run);
  const facts = await gatherFacts(readRunLog(log, warn));
  const missing = whatIsMissing(facts);
  if (missing.length > 0) {
    process.stderr.write(
      `daw-eval: ${facts.start.run_id} is incomplete: ${missing.join("; ")}; no baseline was saved\n`,
    );
    return EXIT.incomplete;
  }
  const own = name ?? facts.start.suite.name;
  if (!isSafeName(own)) throw new UsageError(`--name "${own}": a name is letters, digits, ".", "_" and "-"`);
  const file = path.join(BASELINES_FOLDER, `${own}.jsonl`);
  await saveBaseline(() => readRunLog(log, () => {}), path.resolve(file));
  printLines([`saved ${facts.start.run_id} as ${file}`]);
  return EXIT.fine;
}

/** `daw-eval baseline list`. */
export async function list({ json }: { readonly json?: boolean }): Promise<number> {
  const files = (await readdir(BASELINES_FOLDER).catch(() => [])).filter((file) => file.endsWith(".jsonl")).sort();
  const rows = await Promise.all(
    files.map(async (file) => {
      const records = readRunLog(path.resolve(BASELINES_FOLDER, file), warn);
      const { run_id, started_at, arms } = await summariseRun(records, { metric: "pass_rate", min_pass: null });
      const pass_rates = Object.fromEntries(arms.map(({ arm, mean }) => [arm, mean]));
      return {
        name: file.slice(0, -".jsonl".length),
        run_id,
        started_at,
        tasks: arms[0]?.tasks.length ?? 0,
        pass_rates,
      };
    }),
  );
  if (json === true) printJson({ baselines: rows });
  else if (rows.length === 0) printLines([`no baselines in ${BASELINES_FOLDER}`]);
  else printLines(formatTable(COLUMNS, rows.map(cells), stdoutStyle().columns));
  return EXIT.fine;
}

const COLUMNS: readonly TableColumn[] = [
  { header: "baseline", align: "left", min: 8, cut: "middle" },
  { header: "run", align: "left", min: 8, cut: "middle" },
  { header: "tasks", align: "right" },
  { header: "pass rate", align: "right" },
  { header: "started", align: "left", drop: 1 },
];

interface Row {
  readonly name: string;
  readonly run_id: string;
  readonly started_at: string;
  readonly tasks: number;
  readonly pass_rates: Readonly<Record<string, number | null>>;
}

function cells({ name, run_id, started_at, tasks, pass_rates }: Row) {
  const rates = Object.values(pass_rates).map(percent).join(", ");
  return [name, run_id, String(tasks), rates, started_at.slice(0, 16)].map((text) => ({ text: oneLine(text) }));
}
