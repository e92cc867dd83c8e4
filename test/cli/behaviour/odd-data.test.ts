import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { TrialEvent } from "../../../src/core/event.js";
import { textWidth } from "../../../src/report/text-width.js";
import { type CliRun, cli } from "../../support/cli.js";
import { type CliStage, cliStage, KEY, submit, turnOf } from "../../support/cli-run.js";
import { toolCallReply } from "../../support/model-server.js";
import { writeTask } from "../../support/suite.js";

const TASK = "任务_水果";
const ROWS = 12_962;
const MANY = `SELECT i AS n FROM range(${ROWS}) t(i)`;
/** A cell of 60 MB, a result far beyond a pipe's 64 KiB, and whatever else is asked at the same time. */
const LARGE = [
  "SELECT repeat('x', 60000000) AS huge",
  "SELECT i, repeat('词', 4000) AS wide FROM range(200) t(i)",
  MANY,
];

let stage: CliStage;
let run: CliRun;
let events: readonly TrialEvent[];
beforeAll(async () => {
  stage = await cliStage({
    lasting: true,
    tasks: 0,
    profile: "repeats: 1",
    script: (request) =>
      turnOf(request) === 0
        ? toolCallReply(
            LARGE.map((sql, index) => ({
              name: "execute_probe_query",
              args: { queries: [sql] },
              id: `large_${index}`,
            })),
          )
        : submit(MANY),
  });
  const gold = `n\n${Array.from({ length: ROWS }, (_, index) => index).join("\n")}\n`;
  const task = await writeTask(path.join(stage.folder, "suite"), { task_id: TASK, gold });
  const context = path.join(task, "context");
  writeFileSync(path.join(context, "broken.xlsx"), "no workbook");
  symlinkSync("nowhere.csv", path.join(context, "lost.csv"));
  const args = [...stage.args];
  run = await cli(args, { cwd: stage.folder, env: { ...stage.env, COLUMNS: "40", CI: "true" } });
  events = await stage.events(TASK, 1);
});

describe("row 16: results too large to show", () => {
  it("are cut for the model, which is told so, and whole in the answer", async () => {
    expect(run.code).toBe(0);
    const returned = events.filter((event) => event.type === "tool-returned");
    expect(returned.map(({ ok, truncated }) => ({ ok, truncated }))).toEqual(
      LARGE.map(() => ({ ok: true, truncated: true })),
    );
    for (const { content } of returned) expect(content.length).toBeLessThan(20_000);
    expect(returned[2]?.content).toContain('"truncated":true');
    const end = (await stage.records()).find((record) => record.record === "trial-end");
    const prediction = readFileSync(path.join(stage.runFolder, end?.prediction ?? ""), "utf8");
    expect(prediction.split("\n")).toHaveLength(ROWS + 2);
    expect((await stage.records()).find((record) => record.record === "score")).toMatchObject({ status: "perfect" });
  });
});

describe("row 20: a file of the data that cannot be read", () => {
  it("is an uncertainty that the model is told, and no crash", () => {
    const [started] = events;
    const { uncertainties } = started?.type === "trial-started" ? started.catalog : { uncertainties: [] };
    expect(uncertainties.filter((one) => one.includes("broken.xlsx"))).toHaveLength(1);
    expect(uncertainties.filter((one) => one.includes("lost.csv"))).toHaveLength(1);
    const asked = JSON.stringify(stage.server.requests[0]?.body.messages);
    expect(asked).toContain("broken.xlsx");
    expect(asked).toContain("lost.csv");
  });
});

describe("row 25: a run in CI, on a narrow pipe, with Chinese names", () => {
  it("writes plain lines within the width, with the name whole", () => {
    for (const control of ["\u001b", "\r"]) expect(run.stdout + run.stderr).not.toContain(control);
    expect(run.stdout.split("\n").filter((line) => textWidth(line) > 40)).toEqual([]);
    expect(run.stdout).toContain(TASK);
  });
});

describe("row 18: a key", () => {
  it("in a URL is refused, and not repeated in what says so", async () => {
    for (const url of [`http://user:${KEY}@127.0.0.1:9/v1`, `http://127.0.0.1:9/v1?key=${KEY}`]) {
      writeFileSync(
        path.join(stage.folder, "leaky.yaml"),
        `model: {provider: openai, name: m, base_url: "${url}", retries: {max: 0}}\n`,
      );
      const { code, stdout, stderr } = await cli(["run", "suite", "-p", "./leaky.yaml"], { cwd: stage.folder });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^daw-eval: .*leaky\.yaml:1: model\.base_url .*api_key_env.*\n$/);
      expect(stderr).not.toContain(KEY);
    }
  });
});
