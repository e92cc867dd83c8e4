import path from "node:path";
import { describe, expect, it } from "vitest";
import { cliStage, turnOf } from "../../support/cli-run.js";
import { toolCallReply } from "../../support/model-server.js";
import { processesWith } from "../../support/processes.js";
import { noSandbox, sandboxed } from "../../support/sandbox.js";

/** Seconds that only this test sleeps: by them its processes are found, in a sandbox too. */
const SLEEP = "86413";
const CHILDREN = `import subprocess, time
for start_new_session in (False, True):
    subprocess.Popen(["sleep", "${SLEEP}"], start_new_session=start_new_session)
time.sleep(${SLEEP})
`;
/** Runs for days, and is no wait: a child that has to be killed. */
const ENDLESS = "SELECT sum(a.i * b.i) AS n FROM range(3000000000) a(i), range(3000000000) b(i)";

describe.skipIf(noSandbox !== null)(sandboxed("row 5: a trial that hangs in tools with children"), () => {
  it("is at its limit on time, all that it started is gone, and what was paid is kept", async () => {
    const stage = await cliStage({
      script: (request) =>
        turnOf(request) === 0
          ? toolCallReply([{ name: "list_context", args: {} }])
          : toolCallReply([
              { name: "execute_python", args: { code: CHILDREN }, id: "python" },
              { name: "execute_probe_query", args: { queries: [ENDLESS] }, id: "sql" },
            ]),
      profile:
        "repeats: 1\nlimits: {seconds: 4}\ntools: {query_timeout_seconds: 600, python: {sandbox: auto, timeout_seconds: 600}}",
    });
    const { code, stderr } = await stage.run();
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining("    at ") });
    expect(processesWith(SLEEP)).toEqual([]);
    // Query children open the compiled context, whose place only this test has.
    expect(processesWith(path.join(stage.folder, "cache"))).toEqual([]);
    const end = (await stage.records()).find((record) => record.record === "trial-end");
    expect(end).toMatchObject({
      outcome: { kind: "limit-reached", limit: "seconds" },
      usage: [{ calls: 2, input_tokens: 200, output_tokens: 40 }],
      steps: 2,
    });
    // Limit + 2 s on a quiet machine; the tools alone would take their 600.
    expect(end?.wall_ms).toBeLessThan(30_000);
    const types = (await stage.events("task_1", 1)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(["limit-reached", "trial-finished"]);
  });
});
