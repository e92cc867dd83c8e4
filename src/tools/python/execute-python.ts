import { z } from "zod";
import type { CapturedText, SandboxRun } from "../../core/ports/sandbox.js";
import { beginning, ending, jsonLength } from "../json-length.js";
import { defineTool, type PythonRoom, type ToolEnvironment, type ToolOutcome } from "../tool.js";

export const EXECUTE_PYTHON = "execute_python";

const MIB = 2 ** 20;
/** Kept free for what stands around the texts. */
const FRAME_CHARACTERS = 300;
const LEAST_TEXT_CHARACTERS = 80;
const MOST_CODE_CHARACTERS = 200_000;
const REST =
  "print less: select, aggregate, or print in parts in further calls; a submission takes the whole of what is printed";

/** The arguments of a run, also as the source of a submission. */
export const pythonArguments = z.strictObject({
  code: z.string().min(1).max(MOST_CODE_CHARACTERS).describe("Python 3; only what it prints comes back"),
});

/**
 * `{"stdout", "stderr"}`, and `error` and `message` (the exception with its line) where the code did not end well. A long text is shown with its
 * beginning and its end; `truncated` then says so.
 */
export const executePython = defineTool({
  name: EXECUTE_PYTHON,
  description:
    'Runs Python 3 with pandas, without network, from nothing each time. In it, query(sql) gives a DataFrame and query_rows(sql) a list of dicts from the same tables as execute_probe_query (numbers and booleans as such, all else, dates too, as text, NULL as None), and the task\'s files are below the folder CTX, read-only. Only what is printed comes back. To hand a table in with submit_tool_result, print it last: print(json.dumps({"columns": [...], "rows": [[...], ...]}, default=str)).',
  args: pythonArguments,
  rest: REST,
  execute: async ({ code }, env) => {
    if (env.python === null) return notOffered();
    const run = await runCode(code, env, env.python);
    const { queries } = run;
    const trouble = troubleOf(run, env);
    const frame = trouble === null ? {} : { error: trouble.error, message: trouble.message };
    const { content, truncated } = shown(frame, run, env.limits.max_result_characters);
    if (trouble !== null) return { ok: false, error: trouble.error, content, truncated, queries };
    return { ok: true, content, truncated, queries };
  },
});

/** Runs code under the profile's limits. Rejects as the sandbox does. */
export function runCode(
  code: string,
  env: ToolEnvironment,
  { sandbox, context_dir, on_wait }: PythonRoom,
): Promise<SandboxRun> {
  const { limits, signal, worker } = env;
  const longest = limits.query_timeout_seconds * 1000;
  return sandbox.run(code, {
    context_dir,
    timeout_ms: limits.python.timeout_seconds * 1000,
    memory_bytes: limits.python.memory_mb * MIB,
    signal,
    query: (sql, left_ms, until) =>
      worker.query(sql, {
        max_rows: limits.max_answer_rows,
        timeout_ms: Math.min(longest, left_ms),
        signal: until,
      }),
    on_wait,
  });
}

/** Why a run did not end well, in words for the model; null where it did. */
export function troubleOf(
  { ending: how }: SandboxRun,
  env: ToolEnvironment,
): { error: string; message: string } | null {
  const { timeout_seconds, memory_mb } = env.limits.python;
  switch (how.kind) {
    case "finished":
      return null;
    case "raised":
      return { error: "python-error", message: how.line === null ? how.message : `${how.message} (line ${how.line})` };
    case "timeout":
      return { error: "timeout", message: `the code ran longer than ${timeout_seconds} s and was stopped` };
    case "died": {
      const limits = `${memory_mb} MiB of memory a process, ${timeout_seconds} s`;
      return { error: "died", message: `the process did not end by itself: ${how.how} (limits: ${limits})` };
    }
  }
}

/** A call that only a model makes to which the tool was never offered. */
export function notOffered(): ToolOutcome & { ok: false } {
  const message = `${EXECUTE_PYTHON} is not offered in this run`;
  return { ok: false, error: "not-offered", content: { error: "not-offered", message }, truncated: false };
}

function shown(frame: object, { stdout, stderr }: SandboxRun, budget: number): { content: object; truncated: boolean } {
  const room = Math.max(LEAST_TEXT_CHARACTERS, budget - FRAME_CHARACTERS - JSON.stringify(frame).length);
  // Errors are short, and their end says most; they leave what they do not need.
  const errors = shorten(stderr, Math.floor(room / 4));
  const output = shorten(stdout, room - jsonLength(errors.text));
  const truncated = errors.cut || output.cut;
  const content = {
    ...frame,
    stdout: output.text,
    ...(errors.text === "" ? {} : { stderr: errors.text }),
    ...(stdout.text === "" && stderr.text === "" ? { note: "nothing was printed" } : {}),
    ...(truncated ? { truncated, how_to_get_the_rest: REST } : {}),
  };
  return { content, truncated };
}

/** A text in at most `room` characters of JSON: whole, or its beginning and end around a note of what is left out. */
function shorten({ text, overflowed }: CapturedText, room: number): { text: string; cut: boolean } {
  if (!overflowed && text.length <= room && jsonLength(text) <= room) return { text, cut: false };
  const note = (characters: number) =>
    `\n… (${characters} characters left out${overflowed ? ", and all that came after" : ""}) …\n`;
  const left = Math.max(0, room - jsonLength(note(text.length)));
  const head = beginning(text, Math.ceil((left * 2) / 3));
  const tail = ending(text.slice(head.length), left - jsonLength(head));
  return { text: `${head}${note(text.length - head.length - tail.length)}${tail}`, cut: true };
}
