import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A table as the starter kit's agents hand it over. */
export interface KitAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface KitTaskRun {
  readonly task_id: string;
  /** Null: the agent brought none. */
  readonly answer: KitAnswer | null;
  readonly failure_reason?: string;
}

/** `react`: a step an action, the kit's own baseline; `graph`: a step a node, calls and results in lists, as graph agents of its forks write. */
export type KitShape = "react" | "graph";

/** Writes `<root>/<run_id>/{summary.json, task_*\/{trace.json, prediction.csv}}` as the official starter kit does. Returns the run's folder. */
export function writeKitRun(root: string, run_id: string, shape: KitShape, tasks: readonly KitTaskRun[]): string {
  const folder = path.join(root, run_id);
  for (const task of tasks) writeTaskRun(path.join(folder, task.task_id), shape, task);
  const entries = tasks.map(({ task_id, answer, failure_reason }) => ({
    task_id,
    task_output_dir: path.join(folder, task_id),
    prediction_csv_path: answer === null ? null : path.join(folder, task_id, "prediction.csv"),
    trace_path: path.join(folder, task_id, "trace.json"),
    succeeded: answer !== null,
    failure_reason: failure_reason ?? null,
  }));
  const succeeded_task_count = entries.filter(({ succeeded }) => succeeded).length;
  writeJson(path.join(folder, "summary.json"), {
    run_id,
    task_count: tasks.length,
    succeeded_task_count,
    max_workers: 4,
    tasks: entries,
  });
  return folder;
}

function writeTaskRun(folder: string, shape: KitShape, { task_id, answer, failure_reason }: KitTaskRun): void {
  mkdirSync(folder, { recursive: true });
  writeJson(path.join(folder, "trace.json"), {
    task_id,
    answer,
    steps: shape === "react" ? reactSteps(answer) : graphSteps(answer),
    failure_reason: failure_reason ?? null,
    succeeded: answer !== null,
    e2e_elapsed_seconds: 12.345,
  });
  if (answer !== null) writeFileSync(path.join(folder, "prediction.csv"), csvOf(answer));
}

const writeJson = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** As Python's csv.writer: CRLF, quotes where they are needed. */
function csvOf({ columns, rows }: KitAnswer): string {
  const cell = (value: string | number) =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

const LOOK = { tool: "list_context", args: { max_depth: 4 }, returned: { entries: ["csv/a.csv"] } };

function reactSteps(answer: KitAnswer | null) {
  const step = (
    index: number,
    thought: string,
    action: string,
    action_input: unknown,
    content: unknown,
    ok = true,
  ) => ({
    step_index: index,
    thought,
    action,
    action_input,
    raw_response: JSON.stringify({ thought, action, action_input }),
    observation: ok ? { ok, tool: action, content } : { ok, error: content },
    ok,
  });
  return [
    step(1, "First I look.", LOOK.tool, LOOK.args, LOOK.returned),
    step(2, "", "__error__", {}, "Model response must be a JSON object.", false),
    ...(answer === null ? [] : [step(3, "Now I answer.", "answer", answer, { status: "submitted" })]),
  ];
}

function graphSteps(answer: KitAnswer | null) {
  return [
    { node: "agent", content: "First I look.", tool_calls: [{ name: LOOK.tool, args: LOOK.args, id: "call_1" }] },
    {
      node: "tools",
      tool_results: [{ name: LOOK.tool, tool_call_id: "call_1", content: JSON.stringify(LOOK.returned) }],
    },
    ...(answer === null
      ? []
      : [
          {
            node: "agent",
            tool_calls: [{ name: "answer", args: answer, id: "call_2" }],
            tool_results: [{ name: "answer", tool_call_id: "call_2", content: "submitted" }],
          },
        ]),
  ];
}
