import { appendFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { type ClaimLabel, labelKey, readLabels } from "../score/claim-labels.js";
import type { ReconciledAnswer } from "../score/claim-summary.js";

const QUESTION = "real mismatch? [y]es, [n]o, [s]kip, [q]uit: ";

/**
 * Asks a person about each red entity that has no label yet, and appends a line for each answer, so that what was answered is kept
 * however it ends. Questions go to stderr, answers come from stdin, a line each; its end is `quit`. Returns the number of new labels.
 */
export async function labelReds(
  answers: readonly ReconciledAnswer[],
  fileOf: (check: string) => string,
): Promise<number> {
  const terminal = createInterface({ input: process.stdin });
  try {
    return await askAll(answers, fileOf, terminal[Symbol.asyncIterator]());
  } finally {
    // A terminal that stays open would keep the process waiting.
    terminal.close();
  }
}

async function askAll(
  answers: readonly ReconciledAnswer[],
  fileOf: (check: string) => string,
  lines: AsyncIterator<string>,
): Promise<number> {
  const asked = new Set<string>();
  let added = 0;
  for (const { trial, results } of answers) {
    for (const finding of results.flatMap(({ findings }) => findings)) {
      const { check, entity, level, sentence, nearest, detail } = finding;
      if (level !== "red" || entity === null) continue;
      const file = fileOf(check);
      const known = (await readLabels(file)).map(labelKey);
      const key = labelKey({ check, entity, trial });
      if (known.includes(key) || asked.has(key)) continue;
      asked.add(key);
      const near = nearest.length > 0 ? ` (nearest: ${nearest.join(", ")})` : "";
      process.stderr.write(
        `\n${trial === null ? "" : `${trial} · `}${check}: ${entity}${near}\n  ${sentence ?? detail}\n`,
      );
      const answer = await ask(lines);
      if (answer === "quit") return added;
      if (answer === "skip") continue;
      const label: ClaimLabel = { check, entity, real: answer === "yes", found: true, trial };
      await appendFile(file, `${JSON.stringify(label)}\n`);
      added++;
    }
  }
  return added;
}

async function ask(lines: AsyncIterator<string>): Promise<"yes" | "no" | "skip" | "quit"> {
  for (;;) {
    process.stderr.write(QUESTION);
    const { value, done } = await lines.next();
    if (done === true) return "quit";
    const answer = value.trim().toLowerCase();
    if (answer === "y" || answer === "yes") return "yes";
    if (answer === "n" || answer === "no") return "no";
    if (answer === "s" || answer === "skip") return "skip";
    if (answer === "q" || answer === "quit") return "quit";
  }
}
