import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../support/cli.js";
import { folderWith } from "../support/folder.js";
import { trialEventsOf } from "../support/run-files.js";

const TASK = "task_13_hot_days";

/** One trial of the demo task whose definition stands in a document that the baseline does not reach by itself. */
async function demoRun(profile: string) {
  const out = folderWith();
  const args = [
    "run",
    "tasks/demo",
    "--only",
    TASK,
    "-n",
    "1",
    "-p",
    profile,
    "--out",
    out,
    "--run-id",
    "run",
    "--json",
    "--quiet",
  ];
  const { code, stdout, stderr } = await cli([...args, "--cache-dir", path.join(out, "cache")]);
  expect(code, stderr).toBe(0);
  const [arm] = JSON.parse(stdout).arms;
  return { arm, events: await trialEventsOf(path.join(out, "run"), TASK, 1) };
}

describe("the demo's loop of checks, all of it with the embedded baseline", () => {
  it("brings it to the document that it had not read, and to the right answer", async () => {
    const { arm, events } = await demoRun("validated");
    expect(arm.tasks[0]).toMatchObject({ task_id: TASK, passes: 1, class: "solid" });
    expect(arm.validation.rejections).toMatchObject({ candidates: 1, changed: 1, better: 1, worse: 0 });
    const verdicts = events.filter((event) => event.type === "process-validated");
    expect(verdicts).toMatchObject([
      { verdict: "rejected", required_next_actions: ['read_doc {"path":"doc/leaflet-09-days.md"}'] },
      { verdict: "passed" },
    ]);
    const read = events.findIndex(
      (event) =>
        event.type === "tool-returned" &&
        event.tool === "read_doc" &&
        JSON.stringify(event.args).includes("leaflet-09"),
    );
    expect(read).toBeGreaterThan(verdicts[0]?.seq ?? Number.POSITIVE_INFINITY);
  });

  it("is what makes the difference: without it the answer is wrong, and in observe it is only noticed", async () => {
    const off = await demoRun("builtin");
    expect(off.arm.tasks[0]).toMatchObject({ passes: 0 });
    expect(off.arm.validation).toBeNull();
    const observed = await demoRun("observe");
    expect(observed.arm.tasks[0]).toMatchObject({ passes: 0 });
    expect(observed.arm.validation.confusion[0]).toMatchObject({
      judge: "process",
      rejected_wrong: 1,
      accepted_wrong: 0,
    });
    const answer = (events: typeof off.events) => events.find((event) => event.type === "candidate-submitted")?.args;
    expect(answer(observed.events)).toEqual(answer(off.events));
  });
});
