import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startInstantServer } from "./instant-server.js";
import { compileParts } from "./large-data.js";
import { best, type Measured, measure } from "./measure.js";
import { evalite, promptfoo } from "./peers.js";
import { writeProfile, writeSuite } from "./suites.js";
import { printReport, type Row } from "./table.js";

/*
 * Side by side and scaling measurements: `npm run bench`, or `npm run bench -- start-up overhead` for some parts. Prints figures with the
 * yardstick that ran in the same minute on the same machine; nothing here is a test.
 */

const BIN = fileURLToPath(new URL("../bin/daw-eval.js", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor.mjs", import.meta.url));
const ONE_REPLY = "agent: {repair_limit: 0}\nrepeats: 1\n";
const SQL = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";

const milliseconds = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`;
const mib = (value: number | null) => (value === null ? "? MiB" : `${value.toFixed(0)} MiB`);

interface Bench {
  readonly folder: string;
  /** Answers every request at once with one text. */
  readonly instant: string;
  /** The same after 50 ms. */
  readonly slow: string;
  /** Queries once, then submits. */
  readonly submitting: string;
}

let runs = 0;
async function ours(bench: Bench, suite: string, baseUrl: string, concurrency: number, more: string) {
  const profile = await writeProfile(bench.folder, baseUrl, `${more}concurrency: ${concurrency}\n`);
  const out = path.join(bench.folder, "runs");
  const cache = path.join(bench.folder, "cache");
  const args = ["run", suite, "-p", profile, "--out", out, "--run-id", `r${++runs}`, "--cache-dir", cache, "--quiet"];
  return measure([process.execPath, BIN, ...args]);
}

async function floor(bench: Bench, suite: string, baseUrl: string, concurrency: number) {
  const out = path.join(bench.folder, `floor-${++runs}`);
  return measure([process.execPath, FLOOR, suite, baseUrl, String(concurrency), out]);
}

const seconds = async (times: number, once: () => Promise<Measured>): Promise<number> =>
  (await best(times, once)).seconds;

async function startUp(bench: Bench): Promise<Row[]> {
  const suite = await writeSuite(bench.folder, 1);
  const bare = await seconds(10, () => measure([process.execPath, "-e", "0"]));
  const help = await seconds(10, () => measure([process.execPath, BIN, "--help"]));
  const plan = await seconds(10, () => measure([process.execPath, BIN, "run", suite, "--dry-run"]));
  const beside = `node -e 0: ${milliseconds(bare)}`;
  return [
    { what: "start-up: --help", figure: milliseconds(help), goal: "≤ 350 ms", met: help <= 0.35, beside },
    { what: "start-up: run --dry-run", figure: milliseconds(plan), goal: "≤ 350 ms", met: plan <= 0.35, beside },
  ];
}

/** A trial of one text reply, beyond what the first trial of a run costs: the difference between a large and a small run. */
async function overhead(bench: Bench): Promise<Row[]> {
  const [few, many] = [await writeSuite(bench.folder, 100), await writeSuite(bench.folder, 1100)];
  const each = async (run: (suite: string) => Promise<Measured>): Promise<number> =>
    ((await seconds(5, () => run(many))) - (await seconds(5, () => run(few)))) / 1000;
  const mine = await each((suite) => ours(bench, suite, bench.instant, 32, ONE_REPLY));
  const least = await each((suite) => floor(bench, suite, bench.instant, 32));
  const submits = await each((suite) => ours(bench, suite, bench.submitting, 4, "repeats: 1\n"));
  return [
    {
      what: "a trial of one text reply, records fsynced",
      figure: milliseconds(mine),
      goal: "≤ 1.5 ms",
      met: mine <= 0.0015,
      beside: `floor script ${milliseconds(least)} (ratio ${(mine / least).toFixed(1)})`,
    },
    {
      what: "a trial that queries and submits",
      figure: milliseconds(submits),
      goal: "≤ 15 ms over the floor",
      met: submits - least <= 0.015,
      beside: `floor script ${milliseconds(least)}`,
    },
  ];
}

async function latency(bench: Bench): Promise<Row[]> {
  const suite = await writeSuite(bench.folder, 1000);
  const ideal = (1000 / 32) * 0.05;
  const mine = await best(3, () => ours(bench, suite, bench.slow, 32, ONE_REPLY));
  const least = await best(3, () => floor(bench, suite, bench.slow, 32));
  return [
    {
      what: "1,000 trials × 50 ms at concurrency 32",
      figure: `${mine.seconds.toFixed(2)} s`,
      goal: `≤ ${(1.5 * ideal).toFixed(2)} s (1.5 × ideal)`,
      met: mine.seconds <= 1.5 * ideal,
      beside: `floor script ${least.seconds.toFixed(2)} s`,
    },
  ];
}

async function scaling(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const trials of [100, 1000, 5000, 10_000]) {
    const suite = await writeSuite(bench.folder, trials);
    const mine = await best(trials > 1000 ? 2 : 3, () => ours(bench, suite, bench.instant, 32, ONE_REPLY));
    const log = path.join(bench.folder, "runs", `r${runs}`);
    const report = await best(2, () => measure([process.execPath, BIN, "report", log, "--json"]));
    const score = await measure([process.execPath, BIN, "score", log, "--json"]);
    const bounded = mine.peak_mib !== null && mine.peak_mib <= 120;
    rows.push({
      what: `${trials.toLocaleString("en")} trials of one reply: time, peak memory`,
      figure: `${mine.seconds.toFixed(1)} s, ${mib(mine.peak_mib)}`,
      goal: trials === 5000 ? "≤ 120 MiB" : "flat",
      met: trials === 5000 ? bounded : null,
      beside: `${milliseconds(mine.seconds / trials)} a trial; report ${report.seconds.toFixed(1)} s, ${mib(report.peak_mib)}; score again ${score.seconds.toFixed(1)} s, ${mib(score.peak_mib)}`,
    });
  }
  return rows;
}

async function peers(bench: Bench): Promise<Row[]> {
  const tasks = 1000;
  const suite = await writeSuite(bench.folder, tasks);
  const mine = await ours(bench, suite, bench.instant, 32, ONE_REPLY);
  const others = [
    { name: "promptfoo", ran: await promptfoo(bench.folder, bench.instant, tasks) },
    { name: "evalite", ran: await evalite(bench.folder, bench.instant, tasks) },
  ];
  return others.map(({ name, ran }) => ({
    what: `${tasks.toLocaleString("en")} tasks of one reply, whole command`,
    figure: `${mine.seconds.toFixed(1)} s, ${mib(mine.peak_mib)}`,
    goal: "faster",
    met: ran === null ? null : mine.seconds < ran.seconds,
    beside:
      ran === null
        ? `${name}: not to be had here`
        : `${name} ${ran.seconds.toFixed(1)} s, ${mib(ran.peak_mib)} (ratio ${(ran.seconds / mine.seconds).toFixed(1)})`,
  }));
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  "start-up": startUp,
  overhead,
  latency,
  scaling,
  data: ({ folder }) => compileParts(folder),
  peers,
};

function queryThenSubmit(messages: number) {
  const query = { name: "execute_probe_query", args: { queries: [SQL] } };
  const submit = { name: "submit_tool_result", args: { tool_name: query.name, tool_args: query.args } };
  return { content: null, tool_calls: [messages <= 2 ? query : submit] };
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  const folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-bench-"));
  const instant = await startInstantServer(() => ({ content: "two" }), 0);
  const slow = await startInstantServer(() => ({ content: "two" }), 50);
  const submitting = await startInstantServer(queryThenSubmit, 0);
  try {
    const bench = { folder, instant: instant.base_url, slow: slow.base_url, submitting: submitting.base_url };
    const rows: Row[] = [];
    for (const [name, part] of Object.entries(PARTS)) {
      if (names.length > 0 && !names.includes(name)) continue;
      process.stderr.write(`${name} …\n`);
      rows.push(...(await part(bench)));
    }
    printReport(rows, names);
  } finally {
    await Promise.all([instant.close(), slow.close(), submitting.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
