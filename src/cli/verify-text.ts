import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { compileContext } from "../context/compile.js";
import { domainSource } from "../context/connections/domain-source.js";
import { createQueryPool } from "../context/query-pool.js";
import { UsageError } from "../core/errors.js";
import { unreadable } from "../core/unreadable.js";
import { type Checks, readChecks } from "../score/checks.js";
import { reconcileAnswer } from "../score/reconcile-answer.js";
import { labelReds } from "./label-reds.js";
import { cacheFolder, DOMAIN_TIMEOUT_MS } from "./surroundings.js";
import { printJson, printLines, stdoutStyle } from "./text.js";
import type { VerifyOptions } from "./verify.js";
import { countLevels, exitCodeOfClaims, failedGates, findingLines, labelFileOf, levelsLine } from "./verify-output.js";

/** Verifies one text. */
export async function verifyText(text: string, checksFile: string, options: VerifyOptions): Promise<number> {
  const checks = await readChecks(checksFile);
  if (checks.verify.length === 0) throw new UsageError(`${checksFile}: there is no check under verify:`);
  const results = await reconcile(await readText(text), checks, options);
  const findings = results.flatMap((result) => result.findings);
  const counts = countLevels(findings);
  const gates = failedGates(results, checks);
  if (options.json === true) printJson({ findings, ...counts, failed_gates: gates });
  else {
    const style = stdoutStyle();
    printLines([...findingLines(findings, style), ...(findings.length > 0 ? [""] : []), levelsLine(counts, gates)]);
  }
  if (options.label === true) {
    const fallback = path.join(path.dirname(path.resolve(checksFile)), "claim-labels.jsonl");
    await labelReds([{ trial: null, results }], (check) => labelFileOf(check, checks, options.labels, fallback));
  }
  return exitCodeOfClaims(counts, gates, options.failOn === "red");
}

async function reconcile(conclusion: string, checks: Checks, options: VerifyOptions) {
  const pool = createQueryPool();
  const context = options.context === undefined ? null : await contextFolder(options.context);
  const cache_dir = cacheFolder(options.cacheDir);
  try {
    const domain = domainSource({
      connections: checks.connections,
      context: context === null ? null : async () => pool.worker(await compileContext(context, { cache_dir })),
      env: process.env,
      timeout_ms: DOMAIN_TIMEOUT_MS,
    });
    return await reconcileAnswer(checks.verify, { conclusion, prediction: null }, domain);
  } finally {
    await pool.close();
  }
}

/** `--context` may name a task's folder too. */
async function contextFolder(given: string): Promise<string> {
  const isFolder = (place: string) =>
    stat(place).then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (!(await isFolder(given))) throw new UsageError(`--context ${given}: no such folder`);
  const inside = path.join(given, "context");
  const isTask = await stat(path.join(given, "task.json")).then(
    () => true,
    () => false,
  );
  return isTask && (await isFolder(inside)) ? inside : given;
}

async function readText(file: string): Promise<string> {
  if (file === "-") {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }
  return readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError(`--text ${file}: ${unreadable(error)}`);
  });
}
