import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { mulberry32 } from "../src/stats/random.js";
import { runEnd, runStart, scoreRecord, trialEnd } from "../test/support/records.js";
import { printCells } from "./table.js";

/**
 * `npm run bench:diff [trials]`: time and peak memory of `daw-eval diff` over two logs, also ten times as small, beside a Node process that does
 * nothing but parse the same lines. The best of five, since other work on the machine only ever adds.
 */

const RUNS = 5;
const REPEATS = 3;
const BIN = fileURLToPath(new URL("../bin/daw-eval.js", import.meta.url));

const trials = Number(process.argv[2] ?? 10_000);
if (!Number.isInteger(trials) || trials < 30)
  throw new Error(`give a number of trials of at least 30, not ${process.argv[2]}`);

const USAGE = {
  purpose: "agent",
  model: "bench-model-1",
  calls: 6,
  ms: 5210,
  input_tokens: 18_234,
  output_tokens: 812,
  cached_tokens: 9_000,
  reasoning_tokens: null,
};

const WRONG = {
  penalty: 0.1,
  penalty_grid: { "0": 0.5, "0.05": 0.49, "0.1": 0.48, "0.2": 0.46, "0.5": 0.4, "1": 0.3 },
  names: "accept",
  recall: 0.5,
  matched_columns: 1,
  gold_columns: 2,
  predicted_columns: 3,
  extra_columns: 2,
  gold_rows: 12,
  predicted_rows: 12,
  merged_names: [],
  missed_gold_columns: [1],
  extra_names: ["share", "rank"],
};

const RIGHT = { ...WRONG, matched_columns: 2, extra_columns: 0, missed_gold_columns: [], extra_names: [] };

async function writeLog(file: string, run_id: string, count: number, seed: number): Promise<void> {
  const random = mulberry32(seed);
  const out = createWriteStream(file);
  const tasks = Array.from({ length: Math.ceil(count / REPEATS) }, (_, index) => ({
    task_id: `task_${index + 1}`,
    difficulty: "medium" as const,
    tags: ["join", "date"],
    input_digest: "i".repeat(64),
    gold_digest: "g".repeat(64),
  }));
  const write = async (record: object) => {
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, "drain");
  };
  await write(runStart({ run_id, tasks, repeats: REPEATS }));
  for (const { task_id } of tasks) {
    for (let k = 1; k <= REPEATS; k++) {
      const right = random() < 0.6;
      const signature = right ? "r".repeat(64) : `${"w".repeat(60)}${Math.floor(random() * 9000) + 1000}`;
      await write(
        trialEnd({ task_id, k, signature, usage: [USAGE], cost_usd: 0.0123, wall_ms: 5000 + random() * 9000 }),
      );
      for (const scorer of ["kdd-columns", "cell-f1", "exact-table"]) {
        const said = right ? ({ status: "perfect", value: 1 } as const) : ({ status: "partial", value: 0.48 } as const);
        await write(
          scoreRecord({ task_id, k, scorer, basis: "b".repeat(64), ...said, details: right ? RIGHT : WRONG }),
        );
      }
    }
  }
  await write(
    runEnd({
      counts: {
        planned: tasks.length * REPEATS,
        valid: tasks.length * REPEATS,
        infra_error: 0,
        suspended: 0,
        not_run: 0,
      },
    }),
  );
  out.end();
  await finished(out);
}

/** Seconds and peak MiB of the best of several runs of a Node process. */
function best(args: readonly string[]): { seconds: number; mib: number } {
  const measured = Array.from({ length: RUNS }, () => {
    const code = `process.on("exit", () => process.stderr.write("\\n" + process.resourceUsage().maxRSS))`;
    const began = performance.now();
    const { stderr, status } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(code)}`, ...args],
      {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      },
    );
    if (status === null || status > 1) throw new Error(stderr);
    return { seconds: (performance.now() - began) / 1000, mib: Number(stderr.trimEnd().split("\n").at(-1)) / 1024 };
  });
  return {
    seconds: Math.min(...measured.map(({ seconds }) => seconds)),
    mib: Math.min(...measured.map(({ mib }) => mib)),
  };
}

const PARSE = `
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
let n = 0;
for (const file of process.argv.slice(1)) for await (const line of createInterface({ input: createReadStream(file) })) if (JSON.parse(line).record === "score") n++;
console.log(n);
`;

const folder = await mkdtemp(path.join(tmpdir(), "daw-eval-bench-"));
try {
  const rows: string[][] = [];
  for (const count of [Math.floor(trials / 10), trials]) {
    const logs = [path.join(folder, `base-${count}.jsonl`), path.join(folder, `head-${count}.jsonl`)];
    for (const [index, log] of logs.entries()) await writeLog(log, `run-${index}`, count, index + 1);
    const size = logs.reduce((sum, log) => sum + statSync(log).size, 0) / 2 ** 20;
    const diff = best([BIN, "diff", ...logs, "--json"]);
    const parse = best(["--input-type=module", "-e", PARSE, ...logs]);
    rows.push([
      `2 × ${count} trials (${size.toFixed(0)} MiB)`,
      `${diff.seconds.toFixed(2)} s`,
      `${diff.mib.toFixed(0)} MiB`,
      `${parse.seconds.toFixed(2)} s`,
      `${(diff.seconds / parse.seconds).toFixed(2)}`,
    ]);
  }
  printCells([["logs", "diff", "peak memory", "JSON.parse of the same lines", "ratio"], ...rows]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
