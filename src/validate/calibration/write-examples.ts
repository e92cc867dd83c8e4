import type { Example, Judged } from "./example.js";

/** Examples as the text of a file that `readExamples` reads. */
export function formatExamples(examples: readonly Example[]): string {
  return examples
    .map(({ label, failure_mode, held_out, judged }) => {
      const mode = failure_mode === null ? {} : { failure_mode };
      return `${JSON.stringify({ ...keysOf(judged), label, ...mode, holdout: held_out })}\n`;
    })
    .join("");
}

function keysOf(judged: Judged): object {
  if (judged.judge !== "goal") {
    const { question, ...packet } = judged.material;
    return { task: question, packet };
  }
  const { task, sub_goal, accept, output, evidence } = judged;
  return {
    task,
    ...(sub_goal === null ? {} : { sub_goal }),
    ...(accept === null ? {} : { accept }),
    output,
    ...(evidence === null ? {} : { evidence: Object.fromEntries(evidence.map(({ id, text }) => [id, text])) }),
  };
}
