import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../src/core/ports/sandbox.js";
import { createSandbox } from "../../../src/tools/python/python-sandbox.js";
import { toolSchemas } from "../../../src/tools/registry.js";
import { noSandbox, sandboxed } from "../../support/sandbox.js";
import { type Caller, callerOf, compiledIn, csv } from "../tool-fixture.js";

let sandbox: Sandbox;
let data: Caller;

beforeAll(async () => {
  const rows = Array.from({ length: 13_000 }, (_, index) => [index + 1, `名${index % 10}`, (index % 7) / 4]);
  const { context, folder } = await compiledIn({
    "csv/items.csv": csv([["id", "name", "price"], ...rows]),
    "notes.md": "# Notes\nhello\n",
  });
  sandbox = createSandbox("bwrap");
  data = callerOf(context, { sandbox, context_dir: folder, on_wait: () => {} });
});
afterAll(async () => {
  await sandbox.close();
  await data.pool.close();
});

const run = (code: string, changes?: Parameters<Caller["call"]>[2]) => data.call("execute_python", { code }, changes);
const submit = (code: string, changes?: Parameters<Caller["call"]>[2]) =>
  data.call("submit_tool_result", { tool_name: "execute_python", tool_args: { code } }, changes);
const contentOf = (result: { content: string }) => JSON.parse(result.content);

describe.skipIf(noSandbox !== null)(sandboxed("execute_python"), () => {
  it("shows what the code prints, on both streams", async () => {
    const result = await run("import sys\nprint('数', 1 + 1)\nprint('careful', file=sys.stderr)");
    expect(result).toMatchObject({ ok: true, error: null, truncated: false, queries: [] });
    expect(contentOf(result)).toEqual({ stdout: "数 2\n", stderr: "careful\n" });
    expect(contentOf(await run("x = 1"))).toEqual({ stdout: "", note: "nothing was printed" });
  });

  it("asks the tables with query and query_rows: numbers as numbers, all else as text, NULL as None", async () => {
    const sql = "SELECT 1 AS i, 2.5::DECIMAL(9,2) AS d, 'x' AS t, true AS b, DATE '2024-02-01' AS day, NULL::INT AS n";
    const result = await run(
      `rows = query_rows("""${sql}""")\nprint(rows)\nframe = query("SELECT id, price FROM items ORDER BY id")\nprint(len(frame), frame.id.dtype, frame.price.dtype, frame.price.sum())`,
    );
    expect(contentOf(result).stdout).toBe(
      "[{'i': 1, 'd': 2.5, 't': 'x', 'b': True, 'day': '2024-02-01', 'n': None}]\n13000 int64 float64 9749.25\n",
    );
    expect(result.queries).toEqual([
      { sql, rows: 1 },
      { sql: "SELECT id, price FROM items ORDER BY id", rows: 13_000 },
    ]);
  });

  it("raises a query's error inside the code, where it can be caught, and records the query as failed", async () => {
    const caught = await run(
      "try:\n  query('SELECT missing FROM items')\nexcept Exception as e:\n  print(type(e).__name__, e)",
    );
    expect(contentOf(caught).stdout).toMatch(/^QueryError sql-error: .*missing/);
    expect(caught.queries).toEqual([{ sql: "SELECT missing FROM items", rows: null }]);
    const refused = await run("print('before')\nquery_rows('DROP TABLE items')");
    expect(refused).toMatchObject({ ok: false, error: "python-error" });
    expect(contentOf(refused)).toMatchObject({
      error: "python-error",
      message: expect.stringMatching(/^QueryError: refused: .*\(line 2\)$/),
      stdout: "before\n",
    });
  });

  it("gives a query all of its rows or an error, never a part", async () => {
    const result = await run("query('SELECT id FROM items')", { max_answer_rows: 100 });
    expect(contentOf(result).message).toMatch(/^QueryError: too-many-rows: the query has more than 100 rows/);
  });

  it("asks at most so many queries a run", async () => {
    const result = await run("for i in range(201): query_rows('SELECT 1')");
    expect(contentOf(result).message).toMatch(/^QueryError: too-many-queries: a run may ask 200 queries/);
    expect(result.queries).toHaveLength(200);
  });

  it.each([
    ["1 / 0", "ZeroDivisionError: division by zero (line 1)"],
    ["x = 1\ny = = 2", "SyntaxError: invalid syntax (line 2)"],
    [
      "import json\njson.loads('{')",
      "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) (line 2)",
    ],
    ["import sys\nsys.exit('no data')", "SystemExit: no data"],
    ["def f():\n  raise KeyError('k')\nf()", "KeyError: 'k' (line 2)"],
  ])("tells an exception with the line of the code: %j", async (code, message) => {
    const result = await run(code);
    expect(result).toMatchObject({ ok: false, error: "python-error" });
    expect(contentOf(result).message).toBe(message);
  });

  it("shows the code's own lines of a traceback, and none of ours", async () => {
    const { stderr } = contentOf(await run("def f(x):\n  return 1 / x\nf(0)"));
    expect(stderr).toBe(
      "Traceback:\n  line 3, in <module>: f(0)\n  line 2, in f: return 1 / x\nZeroDivisionError: division by zero\n",
    );
  });

  it.each([
    ["import os; os._exit(7)", "it ended with exit code 7"],
    ["import os; os.kill(os.getpid(), 9)", "it was ended by SIGKILL"],
    ["import ctypes; ctypes.string_at(0)", "it was ended by SIGSEGV"],
    ["import os, time; os.write(3, b'no message\\n'); time.sleep(9)", "it wrote to the channel of its queries"],
  ])("tells a process that dies: %s", async (code, how) => {
    const result = await run(code);
    expect(result.ok).toBe(false);
    expect(contentOf(result).message).toContain(how);
  });

  it("stops code at its time limit, keeps what it printed, and says so", async () => {
    const timeout = { python: { sandbox: "auto", timeout_seconds: 1, memory_mb: 2048 } } as const;
    const result = await run("print('begun')\nwhile True: pass", timeout);
    expect(result).toMatchObject({ ok: false, error: "timeout" });
    expect(contentOf(result)).toEqual({
      error: "timeout",
      message: "the code ran longer than 1 s and was stopped",
      stdout: "begun\n",
    });
  });

  it("stops a query of the code at the code's time limit", async () => {
    const timeout = { python: { sandbox: "auto", timeout_seconds: 1, memory_mb: 2048 } } as const;
    const result = await run("query('SELECT count(*) FROM range(1000000000) a, range(1000000000) b')", timeout);
    expect(result.ok).toBe(false);
    expect(result.content).toMatch(/timeout/);
  });

  it("lets nobody take more memory than the profile gives", async () => {
    const small = { python: { sandbox: "auto", timeout_seconds: 20, memory_mb: 512 } } as const;
    expect(contentOf(await run("x = bytearray(600 << 20)", small)).message).toBe("MemoryError (line 1)");
    expect(await run("x = bytearray(300 << 20); print('ok')", small)).toMatchObject({ ok: true });
  });

  it("takes any amount of output without a deadlock; the model sees its beginning and its end", async () => {
    const result = await run(
      "import sys\nprint('a' * 60_000_000)\nprint('b' * 900_000, file=sys.stderr)\nprint('last')",
    );
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(result.content.length).toBeLessThanOrEqual(20_000);
    const { stdout, stderr, truncated, how_to_get_the_rest } = contentOf(result);
    expect(stdout).toMatch(/^a+\n… \(\d+ characters left out\) …\na+\nlast\n$/);
    expect(stderr).toMatch(/^b+\n… /);
    expect({ truncated, how: how_to_get_the_rest.startsWith("print less") }).toEqual({ truncated: true, how: true });
    expect((await run("print('数\\n' * 50_000)", { max_result_characters: 1000 })).content.length).toBeLessThanOrEqual(
      1000,
    );
  });

  it("drops what is printed beyond all bounds, and goes on", async () => {
    const result = await run("import sys\nfor i in range(70): print('a' * 1_000_000)\nprint('end', file=sys.stderr)");
    expect(contentOf(result).stdout).toContain("and all that came after");
    expect(contentOf(result).stderr).toBe("end\n");
  });

  it("begins from nothing each time: no file, no variable, no module of an earlier call", async () => {
    await run("open('left.txt', 'w').write('x'); open('/tmp/left2.txt', 'w').write('x'); y = 3");
    const code = "import os\nprint(os.listdir('.'), os.listdir('/tmp'), os.getcwd(), 'y' in globals())";
    expect(contentOf(await run(code)).stdout).toBe("[] [] /scratch False\n");
  });

  it("reads the task's own files below CTX, and cannot change them", async () => {
    const read = await run("print(CTX, open(CTX + '/notes.md').read().split())");
    expect(contentOf(read).stdout).toBe("/ctx ['#', 'Notes', 'hello']\n");
    const write = await run("open(CTX + '/new.txt', 'w')");
    expect(contentOf(write).message).toContain("Read-only file system");
  });

  it("prints sets in the same order every time", async () => {
    const code = "print({'alpha', 'beta', 'gamma', 'delta', 'epsilon'})";
    expect((await run(code)).content).toBe((await run(code)).content);
  });

  it("can be a module like any other: pickles, threads, child processes", async () => {
    const code = `
import pickle, subprocess, sys, threading
class Point:
    x = 1
print(pickle.loads(pickle.dumps(Point())).x)
thread = threading.Thread(target=lambda: print('thread', query_rows('SELECT 2 AS n')))
thread.start(); thread.join()
print(subprocess.run([sys.executable, '-c', 'print(3)'], capture_output=True, text=True).stdout)`;
    expect(contentOf(await run(code)).stdout).toBe("1\nthread [{'n': 2}]\n3\n\n");
  });

  it("rejects when the trial's signal is aborted", async () => {
    const reason = new Error("time is up");
    const controller = new AbortController();
    const slow = run("import time; time.sleep(100)", { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 300);
    await expect(slow).rejects.toBe(reason);
  });
});

describe.skipIf(noSandbox !== null)(sandboxed("a submission of Python"), () => {
  it("runs the code again and hands in the table that it prints last, with the queries that it asked", async () => {
    const code = `
import json
frame = query("SELECT name, price FROM items")
print("rows", len(frame))
means = frame.groupby("name").price.mean().reset_index()
print(json.dumps({"columns": list(means.columns), "rows": means.values.tolist()}))`;
    const result = await submit(code);
    expect(result).toMatchObject({ ok: true, error: null, truncated: false });
    expect(contentOf(result)).toMatchObject({ submitted: true, columns: ["name", "price"], row_count: 10 });
    expect(result.submission?.source).toEqual({
      tool: "execute_python",
      args: { code },
      queries: [{ sql: "SELECT name, price FROM items", rows: 13_000 }],
    });
    expect(result.submission?.table.types).toEqual(["VARCHAR", "DOUBLE"]);
  });

  it("takes an answer of many rows whole, and one beyond the limit not at all", async () => {
    const code = `
import json
rows = [[r["id"], r["name"]] for r in query_rows("SELECT id, name FROM items ORDER BY id")]
print(json.dumps({"columns": ["id", "name"], "rows": rows[:12_962]}))`;
    const result = await submit(code);
    expect(result.submission?.table.rows).toHaveLength(12_962);
    expect(result.submission?.table.rows.at(-1)).toEqual(["12962", "名1"]);
    const large = await submit('print(\'{"columns": ["a"], "rows": [[1], [2], [3]]}\')', { max_answer_rows: 2 });
    expect(large).toMatchObject({ ok: false, error: "too-many-rows" });
  });

  it.each([
    ["print('forty-two')", "no-table", "stdout has no JSON object with columns and rows"],
    [
      'print(\'{"columns": ["a"], "rows": [[1]]}\')\n1 / 0',
      "python-error",
      "ZeroDivisionError: division by zero (line 2)",
    ],
    ["for i in range(70): print('a' * 1_000_000)", "too-much-output", "prints more than is kept"],
  ])("is refused, with the reason, when the code brings no table: %s", async (code, error, words) => {
    const result = await submit(code);
    expect(result).toMatchObject({ ok: false, error, queries: [] });
    expect(result.submission).toBeUndefined();
    expect(contentOf(result).message).toMatch(/^nothing was submitted: /);
    expect(contentOf(result).message).toContain(words);
  });

  it("checks the arguments of the tool that it names", async () => {
    const mixed = await data.call("submit_tool_result", {
      tool_name: "execute_python",
      tool_args: { queries: ["SELECT 1"] },
    });
    expect(mixed).toMatchObject({ ok: false, error: "bad-arguments" });
    expect(contentOf(mixed).message).toContain("tool_args.code is missing");
    const sql = await data.call("submit_tool_result", {
      tool_name: "execute_probe_query",
      tool_args: { queries: ["SELECT 1 AS n"] },
    });
    expect(sql.submission?.table.rows).toEqual([["1"]]);
  });
});

describe("the tool list", () => {
  it("has execute_python, also as the source of a submission, only where it can run", () => {
    const without = toolSchemas(false);
    const having = toolSchemas(true);
    expect(without.map(({ name }) => name)).not.toContain("execute_python");
    expect(JSON.stringify(without)).not.toMatch(/python/i);
    expect(having.map(({ name }) => name)).toEqual([
      ...without.slice(0, -1).map(({ name }) => name),
      "execute_python",
      "submit_tool_result",
    ]);
    expect(having.at(-1)?.parameters).toMatchObject({
      properties: {
        tool_name: { enum: ["execute_probe_query", "execute_python"] },
        tool_args: { anyOf: [{ required: ["queries"] }, { required: ["code"] }] },
      },
    });
  });
});
