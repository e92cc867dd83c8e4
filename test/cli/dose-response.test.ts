import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { type ModelRequestSeen, type ModelServer, startModelServer, toolCallReply } from "../support/model-server.js";
import { writeTask } from "../support/suite.js";

const TASKS = 6;
const SQL = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";
let folder: string;
let server: ModelServer;

/** Obeys the stricter text the more often: by advice in one task of six, by a demanded line in three, by a template always. */
function conclusionFor({ body }: ModelRequestSeen): string {
  const system = body.messages[0]?.content ?? "";
  const number = Number(/task number (\d+)/.exec(JSON.stringify(body.messages[1]))?.[1]);
  const obeyed = system.includes("exactly this form") ? TASKS : system.includes("must end with a line") ? 3 : 1;
  return number <= obeyed ? "Two are red.\nSources: fruit.csv" : "Two are red.";
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "daw-eval-dose-"));
  server = await startModelServer((request) =>
    toolCallReply([
      {
        name: "submit_tool_result",
        args: {
          tool_name: "execute_probe_query",
          tool_args: { queries: [SQL] },
          conclusion: conclusionFor(request),
        },
      },
    ]),
  );
});
afterEach(() => server.close());

describe("a matrix over discipline", () => {
  it("shows compliance by dose with intervals, and says that it rises", async () => {
    const suite = path.join(folder, "suite");
    for (let number = 1; number <= TASKS; number++) {
      const question = `This is task number ${number}. How many fruit are red?`;
      const task = await writeTask(suite, { task_id: `task_${number}`, question, gold: "n\n2\n" });
      await writeFile(
        path.join(task, "checks.yaml"),
        "line_formats:\n  - { name: sources, pattern: '^Sources: \\S+$', where: last-lines, required: true }\n",
      );
    }
    const profile = path.join(folder, "profile.yaml");
    await writeFile(
      profile,
      `model: {provider: openai, name: scripted, base_url: "${server.base_url}"}\nrepeats: 2\nmatrix: {discipline: [advice, line, template]}\n`,
    );
    const places = ["--out", path.join(folder, "runs"), "--run-id", "r", "--cache-dir", path.join(folder, "cache")];
    const ran = await cli(["run", suite, "-p", profile, ...places, "--json"]);
    expect(ran.stderr).not.toContain("    at ");
    expect(ran.code).toBe(0);
    const { dose_response } = JSON.parse(ran.stdout);
    expect(dose_response.doses).toMatchObject([
      { discipline: "advice", compliance: { sources: { mean: 1 / 6 } }, pass_rate: 1, pass_hat_n: 1 },
      { discipline: "line", compliance: { sources: { mean: 1 / 2 } } },
      { discipline: "template", compliance: { sources: { mean: 1 } } },
    ]);
    for (const dose of dose_response.doses) expect(dose.compliance.sources.ci95).toHaveLength(2);
    expect(dose_response.rules).toMatchObject([{ rule: "sources", monotone: true }]);

    const shown = await cli(["report", path.join(folder, "runs", "r"), "--md", path.join(folder, "report.md")]);
    expect(shown.stdout).toContain("sources: rises monotonically over advice → line → template");
  });
});
