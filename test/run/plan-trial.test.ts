import path from "node:path";
import { describe, expect, it } from "vitest";
import type { TrialEvent } from "../../src/core/event.js";
import type { PersonSays } from "../../src/core/event-plan.js";
import type { Profile } from "../../src/core/profile.js";
import { fold } from "../../src/core/reduce.js";
import type { TrialState } from "../../src/core/state.js";
import { personOf } from "../../src/run/ask-person.js";
import { folderWith } from "../support/folder.js";
import { type ChatBody, type Reply, textReply, toolCallReply } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";
import { type ScriptedRun, scriptedRun } from "../support/scripted-run.js";
import { writeTask } from "../support/suite.js";

const RED = "SELECT count(*) AS n FROM fruit WHERE colour = 'red'";

const plan = (...goals: readonly string[]): Reply =>
  textReply(JSON.stringify({ sub_goals: goals.map((goal) => ({ goal, accept: "one number", tool_hint: null })) }));

const TWO = plan("See which colours the fruit have", "Count those that are red");

const probe = (sql = RED): Reply => toolCallReply([{ name: "execute_probe_query", args: { queries: [sql] } }]);
const say = (text: string): Reply => textReply(text);
const judge = (score: number, reason = "as it is"): Reply =>
  textReply(JSON.stringify({ problem: score < 0.8 ? "something" : "none", score, reason }));

const submit = (): Reply =>
  toolCallReply([
    {
      name: "submit_tool_result",
      args: { tool_name: "execute_probe_query", tool_args: { queries: [RED] }, conclusion: "Two are red." },
    },
  ]);

/** An executor that looks once and says what it saw. */
const worker = (evidence: string): Reply[] => [probe(), say(`The count of red fruit is 2 [${evidence}].`)];

interface Roles {
  readonly planner: readonly Reply[];
  readonly executor: readonly Reply[];
  readonly verifier: readonly Reply[];
  readonly finalizer?: readonly Reply[];
}

async function planTrial(
  { planner, executor, verifier, finalizer = [submit()] }: Roles,
  budgets: Partial<Profile["agent"]["plan"]> = {},
  cancelAfter?: (event: TrialEvent["type"], trial: { readonly events: number }) => boolean,
  pause: Profile["pause"] = [],
): Promise<ScriptedRun & { readonly state: TrialState }> {
  const folder = folderWith();
  await writeTask(path.join(folder, "suite"), { task_id: "task_1" });
  const base = profileWith({});
  const budget = { ...base.agent.plan, ...budgets };
  const agent: Profile["agent"] = { ...base.agent, strategy: "plan", max_steps: 96, plan: budget };
  const run = await scriptedRun({
    suite: path.join(folder, "suite"),
    task: "task_1",
    scripts: { planner, executor, verifier, finalizer },
    profile: { agent, pause, tools: { ...base.tools, python: { ...base.tools.python, sandbox: "off" } } },
    ...(cancelAfter === undefined ? {} : { cancelAfter }),
  });
  return { ...run, state: fold(run.events) };
}

type OfType<Type extends TrialEvent["type"]> = Extract<TrialEvent, { type: Type }>;

function ofType<Type extends TrialEvent["type"]>(events: readonly TrialEvent[], type: Type): OfType<Type>[] {
  return events.filter((event): event is OfType<Type> => event.type === type);
}

const routes = (events: readonly TrialEvent[]) =>
  ofType(events, "route-taken").map(({ to, degraded }) => (degraded === null ? to : `${to} ${degraded}`));
const opening = (body: ChatBody | undefined): string => body?.messages[1]?.content ?? "";
const conclusionOf = (events: readonly TrialEvent[]) => ofType(events, "candidate-submitted").at(-1)?.conclusion;

describe("a trial of a plan", () => {
  it("goes from sub-goal to sub-goal, checks the whole and hands in a table; each role sees what is its own", async () => {
    const { events, seen, state } = await planTrial({
      planner: [TWO],
      executor: [...worker("E1"), ...worker("E2")],
      verifier: [judge(0.9), judge(0.8), judge(0.95)],
    });
    expect(routes(events)).toEqual(["next", "finalize", "submit"]);
    expect(state.outcome).toMatchObject({ kind: "answered", degraded: false });
    expect(state.plan).toMatchObject({ rounds: 2, replans: 0, cursor: 1, dead_ends: [], fail_reasons: [] });
    expect(state.step).toBe(4);
    expect(conclusionOf(events)).toBe("Two are red.");
    const judged = JSON.stringify(seen.verifier[0]);
    expect(judged).toContain("How many fruit are red?");
    expect(judged).toContain("See which colours");
    expect(judged).not.toContain("execute_probe_query");
    expect(seen.executor[0]?.tools?.map((tool) => tool.function.name)).not.toContain("submit_tool_result");
    expect(seen.finalizer[0]?.tools?.map((tool) => tool.function.name)).toEqual(["submit_tool_result"]);
    expect(opening(seen.finalizer[0])).toContain(JSON.stringify(RED));
  });

  it("tries an output again that fails in part, with the reason before everything else", async () => {
    const { events, seen, state } = await planTrial({
      planner: [TWO],
      executor: [...worker("E1"), say("Red 2, green 1 [E1]; nothing else."), ...worker("E2")],
      verifier: [judge(0.6, "green is missing"), judge(0.9), judge(0.9), judge(0.9)],
    });
    expect(routes(events).slice(0, 2)).toEqual(["retry", "next"]);
    expect(opening(seen.executor[0])).not.toContain("FIX THIS FIRST");
    expect(opening(seen.executor[2])).toMatch(/^FIX THIS FIRST[^\n]*:\ngreen is missing/);
    expect(opening(seen.executor[3])).not.toContain("FIX THIS FIRST");
    expect(state.plan).toMatchObject({ rounds: 3, dead_ends: [], fail_reasons: [{ sub_goal: "s1" }] });
  });

  it("makes another plan where the plan is at fault, keeps outputs and evidence, and takes over what is done", async () => {
    const { events, seen, state } = await planTrial({
      planner: [TWO, plan("See which colours the fruit have", "Add up the grams by colour")],
      executor: [...worker("E1"), ...worker("E2"), ...worker("E3")],
      verifier: [judge(0.9), judge(0.3, "that is not it"), judge(0.9), judge(0.9)],
    });
    expect(routes(events)).toEqual(["next", "replan", "finalize", "submit"]);
    expect(Object.keys(state.plan.outputs)).toEqual(["s1", "s2", "s3", "s4"]);
    expect(state.plan.outputs.s3).toMatchObject({ reused_from: "s1", passed: true });
    expect(seen.executor).toHaveLength(6);
    expect(state.plan.evidence.map(({ id }) => id)).toEqual(["E1", "E2", "E3"]);
    expect(state.plan).toMatchObject({ replans: 1, rounds: 3 });
    expect(state.plan.dead_ends).toEqual([ofType(events, "plan-set")[0]?.fingerprint]);
    expect(opening(seen.planner[1])).toContain("that is not it");
    expect(opening(seen.planner[1])).toContain("s1 (See which colours the fruit have)");
  });

  it("takes data that are missing twice in a row for the plan's fault, once for the output's", async () => {
    const missing = say("INSUFFICIENT: nobody wrote down when the fruit were picked");
    const { events, seen } = await planTrial({
      planner: [TWO, plan("Weigh what is red", "Count what is red")],
      executor: [missing, missing, ...worker("E1"), ...worker("E2")],
      verifier: [judge(0.9), judge(0.9), judge(0.9)],
    });
    expect(routes(events).slice(0, 2)).toEqual(["retry", "replan"]);
    expect(ofType(events, "step-verified").map(({ verdict }) => verdict?.scope)).toEqual([
      "local",
      "global",
      null,
      null,
      null,
    ]);
    expect(seen.verifier).toHaveLength(3);
  });

  it("catches an invented citation and a number that the evidence lacks without asking a model", async () => {
    const { events, seen } = await planTrial({
      planner: [TWO],
      executor: [
        probe(),
        say("The count of red fruit is 2 [E99]."),
        say("The count of red fruit is 17 [E1]."),
        say("The count of red fruit is 2 [E1]."),
        ...worker("E2"),
      ],
      verifier: [judge(0.9), judge(0.9), judge(0.9)],
    });
    const failed = ofType(events, "step-verified").slice(0, 2);
    expect(failed.map(({ verdict }) => verdict?.findings.map(({ rule }) => rule))).toEqual([
      ["unknown-citation"],
      ["number-not-in-evidence"],
    ]);
    expect(failed.map(({ verdict }) => [verdict?.layer, verdict?.scope, verdict?.score])).toEqual([
      ["evidence", "local", null],
      ["evidence", "local", null],
    ]);
    expect(seen.verifier).toHaveLength(3);
  });

  it("hands in an answer as not fully verified where the judge gives no verdict, after asking once more", async () => {
    const { events, seen, state } = await planTrial({
      planner: [TWO],
      executor: worker("E1"),
      verifier: [say("Looks good to me!"), say('{"score": "high"}')],
    });
    expect(ofType(events, "reply-refused")).toMatchObject([{ purpose: "verifier", reason: "unusable" }]);
    expect(seen.verifier[1]?.messages.at(-1)?.content).toContain("cannot be read");
    expect(routes(events)).toEqual(["finalize no-verdict"]);
    expect(state.outcome).toMatchObject({ kind: "answered", degraded: true });
    expect(conclusionOf(events)).toBe("Not fully verified: a check gave no verdict that can be read.\n\nTwo are red.");
  });

  it("hands in an answer as not fully verified where its rounds are used up, and says so", async () => {
    const { events, state } = await planTrial(
      {
        planner: [TWO],
        executor: [...worker("E1"), say("Still the same 2 [E1] and no more.")],
        verifier: [judge(0.6), judge(0.6)],
      },
      { max_rounds: 2 },
    );
    expect(routes(events)).toEqual(["retry", "finalize rounds-spent"]);
    expect(state.outcome).toMatchObject({ kind: "answered", degraded: true });
    expect(conclusionOf(events)).toMatch(/^Not fully verified: the rounds .* used up\./);
  });

  it("sends a plan back once for criteria that nobody can check, and once for a dead end, and then takes it as it is", async () => {
    const vague = textReply(
      JSON.stringify({
        sub_goals: [
          { goal: "See which colours the fruit have", accept: "a reasonable overview" },
          { goal: "Count those that are red", accept: "an appropriate number" },
        ],
      }),
    );
    const again = plan("Then count those fruit that are red", "First see which colours the fruit have");
    const { events } = await planTrial({
      planner: [vague, TWO, say("no idea"), again, again],
      executor: [...worker("E1"), ...worker("E2"), ...worker("E3")],
      verifier: [judge(0.2), judge(0.9), judge(0.9), judge(0.9)],
    });
    expect(ofType(events, "reply-refused").map(({ reason }) => reason)).toEqual([
      "vague-accept",
      "unusable",
      "dead-end",
    ]);
    expect(ofType(events, "plan-set").map(({ collides, vague }) => [collides, vague])).toEqual([
      [false, []],
      [true, []],
    ]);
  });

  it("makes one new plan after a failed check of the whole answer, and then hands it in as not fully verified", async () => {
    const { events, state } = await planTrial({
      planner: [TWO, plan("Weigh what is red", "Compare both weights")],
      executor: [...worker("E1"), ...worker("E2"), ...worker("E3"), ...worker("E4")],
      verifier: [judge(0.9), judge(0.9), judge(0.7, "half of it"), judge(0.9), judge(0.9), judge(0.7, "half again")],
    });
    expect(routes(events)).toEqual(["next", "finalize", "replan", "next", "finalize", "submit whole-answer"]);
    expect(state.plan.dead_ends).toHaveLength(2);
    expect(conclusionOf(events)).toMatch(/^Not fully verified: the check of the whole answer/);
  });

  it("makes no more than five tool calls in one execution, and refuses a submission there", async () => {
    const calls = (count: number, name = "execute_probe_query") =>
      toolCallReply(
        Array.from({ length: count }, (_, index) => ({
          name,
          args: { queries: [RED] },
          id: `${name}_${count}_${index}`,
        })),
      );
    const { events, seen } = await planTrial({
      planner: [TWO],
      executor: [
        calls(1, "submit_tool_result"),
        calls(3),
        calls(2),
        say("The count of red fruit is 2 [E5]."),
        ...worker("E7"),
      ],
      verifier: [judge(0.9), judge(0.9), judge(0.9)],
    });
    const errors = ofType(events, "tool-returned").map(({ error }) => error);
    expect(errors.filter((error) => error !== null)).toEqual(["not-now", "tool-budget"]);
    expect(seen.executor[3]?.tools).toBeUndefined();
    expect(seen.executor[3]?.messages.at(-1)?.content).toContain("used up");
  });

  it("waits for a person where the profile says so; a rejection makes another plan, and what was said replays", async () => {
    const trial = await planTrial(
      {
        planner: [TWO, plan("Weigh what is red", "Compare both weights")],
        executor: [...worker("E1"), ...worker("E2")],
        verifier: [judge(0.9), judge(0.9), judge(0.9)],
      },
      {},
      undefined,
      ["after-plan", "before-finalize"],
    );
    const waiting = async (says?: PersonSays) => fold(await trial.resume(says));
    expect(trial.state.plan_work.paused).toBe("after-plan");
    expect((await waiting()).events).toBe(trial.state.events);
    const rejected = await waiting({ kind: "reject", why: "the second part repeats the first" });
    expect(rejected.plan_work.paused).toBe("after-plan");
    expect(rejected.plan).toMatchObject({ replans: 1, rounds: 0, fail_reasons: [{ sub_goal: null }] });
    expect(rejected.plan.dead_ends).toHaveLength(1);
    expect(opening(trial.seen.planner[1])).toContain("the second part repeats the first");
    const approved = await waiting({ kind: "approve" });
    expect(approved.plan_work).toMatchObject({ paused: "before-finalize", stage: "submitting" });
    const events = await trial.resume({ kind: "approve" });
    expect(fold(events).outcome).toMatchObject({ kind: "answered", degraded: false });
    const asked = personOf(events);
    expect(ofType(events, "person-decided").map(({ pause }) => asked(pause, approved)?.kind)).toEqual([
      "reject",
      "approve",
      "approve",
    ]);
    await expect(trial.resume({ kind: "approve" })).rejects.toThrow(/waits for a person/);
  });

  it("goes on after a cancel in the middle of a round as if nothing had been", async () => {
    const roles: Roles = {
      planner: [TWO, plan("Weigh what is red", "Count what is red")],
      executor: [...worker("E1"), ...worker("E2"), ...worker("E3")],
      verifier: [judge(0.3), judge(0.9), judge(0.9), judge(0.9)],
    };
    const whole = await planTrial(roles);
    const kinds = ["tool-returned", "step-verified"] as const;
    for (const kind of kinds) {
      let cancelled = false;
      const cut = await planTrial(roles, {}, (event) => {
        const now = event === kind && !cancelled;
        cancelled ||= now;
        return now;
      });
      expect(cut.state.phase).toBe("suspended");
      expect(essence(await cut.resume())).toEqual(essence(whole.events));
    }
  });
});

/** Events but for their times and the suspension. */
function essence(events: readonly TrialEvent[]): unknown[] {
  return events
    .filter(({ type }) => type !== "trial-suspended" && type !== "trial-resumed")
    .map(({ seq: _seq, at: _at, waited_ms: _waited, ...body }) => JSON.parse(JSON.stringify({ ...body, ms: 0 })));
}
