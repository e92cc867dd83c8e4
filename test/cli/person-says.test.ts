import path from "node:path";
import { describe, expect, it } from "vitest";
import { decisionFrom } from "../../src/cli/person-says.js";
import { folderWith } from "../support/folder.js";

describe("what a person says to a paused trial", () => {
  it("is one thing, about one trial, and nothing where nothing is said", async () => {
    expect(await decisionFrom({})).toBeNull();
    expect(await decisionFrom({ trial: "task_1#2", approve: true })).toEqual({
      trial: { arm: "main", task_id: "task_1", k: 2 },
      says: { kind: "approve" },
    });
    expect(await decisionFrom({ trial: "task_1#2@b", reject: " too long " })).toMatchObject({
      trial: { arm: "b" },
      says: { kind: "reject", why: "too long" },
    });
    await expect(decisionFrom({ approve: true })).rejects.toThrow(/name the paused trial/);
    await expect(decisionFrom({ trial: "task_1#2" })).rejects.toThrow(/say one of --approve, --reject WHY/);
    await expect(decisionFrom({ trial: "task_1#2", approve: true, reject: "no" })).rejects.toThrow(/say one of/);
    await expect(decisionFrom({ trial: "task_1#2", reject: " " })).rejects.toThrow(/say why/);
  });

  it("may be a plan in a file, of the shape that a planner's has and as checkable", async () => {
    const goals =
      "sub_goals:\n  - {goal: a, accept: two rows}\n  - {goal: b, accept: one number, tool_hint: read_doc}\n";
    const folder = folderWith({
      "plan.yaml": goals,
      "one.json": '{"sub_goals": [{"goal": "a", "accept": "b"}]}',
      "vague.yaml": goals.replace("one number", "an appropriate number"),
      "broken.yaml": "sub_goals:\n  - {goal: a\n",
    });
    const edit = (file: string) => decisionFrom({ trial: "task_1#1", editPlan: path.join(folder, file) });
    expect(await edit("plan.yaml")).toMatchObject({
      says: {
        kind: "edit-plan",
        sub_goals: [
          { goal: "a", tool_hint: null },
          { goal: "b", tool_hint: "read_doc" },
        ],
      },
    });
    await expect(edit("one.json")).rejects.toThrow(/one\.json: sub_goals: .*two to six/);
    await expect(edit("vague.yaml")).rejects.toThrow(/nobody can check an accept that says "appropriate"/);
    await expect(edit("broken.yaml")).rejects.toThrow(/broken\.yaml:\d: not YAML/);
    await expect(edit("none.yaml")).rejects.toThrow(/none\.yaml: cannot be read \(ENOENT\)/);
  });
});
