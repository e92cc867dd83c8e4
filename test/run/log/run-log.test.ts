import { appendFile, mkdtemp, readFile, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/core/run-record.js";
import { openJsonLines, readJsonLines } from "../../../src/run/log/json-lines.js";
import { openRunLog, readRunLog, readRunStart } from "../../../src/run/log/run-log.js";
import { runEnd, runStart, trialEnd } from "../../support/records.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-log-"));
});

async function records(onWarning: (message: string) => void = () => {}): Promise<RunRecord[]> {
  const found: RunRecord[] = [];
  for await (const record of readRunLog(path.join(folder, "run.jsonl"), onWarning)) found.push(record);
  return found;
}

async function written(...list: RunRecord[]): Promise<string> {
  const log = openRunLog(folder);
  await Promise.all(list.map((record) => log.append(record)));
  await log.close();
  return path.join(folder, "run.jsonl");
}

describe("a run log", () => {
  it("reads back what was appended, in order, also when appends overlap", async () => {
    const list = [runStart(), trialEnd({ k: 1 }), trialEnd({ k: 2 }), runEnd()];
    await written(...list);
    expect(await records()).toEqual(list);
  });

  it("drops a torn last line with a warning that names it, wherever the writer was killed", async () => {
    const file = await written(runStart(), trialEnd({ k: 1 }), trialEnd({ k: 2 }));
    const whole = await readFile(file);
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1;
    for (const cut of [lastLine + 1, lastLine + 20, whole.length - 1]) {
      await writeFile(file, whole);
      await truncate(file, cut);
      const warnings: string[] = [];
      expect(await records((message) => warnings.push(message))).toHaveLength(2);
      expect(warnings).toEqual([expect.stringContaining("run.jsonl:3")]);
    }
  });

  it("appends after a torn line without joining the two", async () => {
    const file = await written(runStart(), trialEnd({ k: 1 }));
    await appendFile(file, '{"record":"trial-end","arm":"ma');
    await written(runEnd());
    expect((await records()).map((record) => record.record)).toEqual(["run-start", "trial-end", "run-end"]);
  });

  it("names file and line of any other line that cannot be read", async () => {
    const file = await written(runStart());
    await appendFile(file, "this is not JSON\n{}\n");
    await expect(records()).rejects.toThrow(/run\.jsonl:2: not a line of JSON/);
    await writeFile(file, `${JSON.stringify(runStart())}\n{"record":"trial-end"}\n`);
    await expect(records()).rejects.toThrow(/run\.jsonl:2: not a record of a run log/);
  });

  it("refuses a file that is no run log, and one of a newer schema, saying what to do", async () => {
    await expect(records()).rejects.toThrow(/no run log here/);
    const file = await written(trialEnd({ k: 1 }));
    await expect(records()).rejects.toThrow(/the first record is a trial-end/);
    await writeFile(file, `${JSON.stringify({ ...runStart(), schema_version: 99 })}\n`);
    await expect(readRunStart(file)).rejects.toThrow(/newer daw-eval .*update daw-eval/);
  });
});

describe("JSON lines", () => {
  it("read back any JSON values, whatever characters are in them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 }), async (values) => {
        const file = path.join(folder, "lines.jsonl");
        await writeFile(file, "");
        const lines = openJsonLines(file);
        for (const value of values) await lines.append({ value });
        await lines.close();
        const found: unknown[] = [];
        for await (const { value } of readJsonLines(file, () => {})) found.push(value);
        expect(found).toEqual(JSON.parse(JSON.stringify(values.map((value) => ({ value })))));
      }),
      { numRuns: 40 },
    );
  });

  it("keep texts with every odd line separator in one line", async () => {
    const file = path.join(folder, "lines.jsonl");
    const text = "a\u2028b\u2029c\rd\u0085e\r\nf";
    const lines = openJsonLines(file);
    await lines.append({ text });
    await lines.append({ text });
    await lines.close();
    const found: unknown[] = [];
    for await (const { value } of readJsonLines(file, () => {})) found.push(value);
    expect(found).toEqual([{ text }, { text }]);
  });

  it("cut a tail that is longer than a block", async () => {
    const file = path.join(folder, "lines.jsonl");
    await writeFile(file, `{"a":1}\n{"b":"${"x".repeat(300_000)}`);
    const lines = openJsonLines(file);
    await lines.append({ c: 3 });
    await lines.close();
    expect(await readFile(file, "utf8")).toBe('{"a":1}\n{"c":3}\n');
  });
});
