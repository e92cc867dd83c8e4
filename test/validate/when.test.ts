import { describe, expect, it } from "vitest";
import { decide as decideAgent } from "../../src/agent/react.js";
import type { Effect } from "../../src/core/effect.js";
import type { CheckAnswer, QueryAnswer, TrialEventBody } from "../../src/core/event.js";
import type { Profile } from "../../src/core/profile.js";
import { decide } from "../../src/validate/decide.js";
import { candidate, respond, started, toolReturned } from "../support/events.js";
import { profileWith } from "../support/profile.js";
import { stateAfter, steps } from "../support/trial.js";
import { LEDGER, validatorFailed, validatorReply } from "../support/validation-events.js";

const PASS = { valid: true, issues: [], required_next_actions: [], semantic_ledger: LEDGER };
const REJECT = {
  valid: false,
  issues: ["the unit of grams is not shown"],
  required_next_actions: ["read knowledge.md on grams"],
  semantic_ledger: { ...LEDGER, unverified_assumptions: ["grams are grams"] },
};
const PROCESS = "process-validator";
const ANSWER = "answer-validator";

/** Process validation alone, without checks by code, unless a test says otherwise. */
const process = (more: Partial<Profile["process_validation"]> = {}, rest: Parameters<typeof profileWith>[0] = {}) =>
  profileWith({ ...rest, process_validation: { mode: "enforce", mechanical: "off", ...more } });

/** The events so far and all that validating adds to them until it needs a model or has nothing more to do. */
function settle(
  bodies: readonly TrialEventBody[],
  profile: Profile,
): { bodies: TrialEventBody[]; effect: Effect | null } {
  const all = [...bodies];
  for (;;) {
    const effect = decide(stateAfter(...all), profile);
    if (effect?.kind !== "record") return { bodies: all, effect };
    all.push(effect.event);
  }
}
const next = (profile: Profile, ...bodies: TrialEventBody[]) => decide(stateAfter(...bodies), profile);
const submit = (id: string): TrialEventBody[] => [respond({ calls: [id], tool: "submit_tool_result" }), candidate(id)];
const purposeOf = (effect: Effect | null) => (effect?.kind === "call-model" ? effect.request.purpose : effect?.kind);
const recorded = (effect: Effect | null) => (effect?.kind === "record" ? effect.event : null);

describe("a periodic check of the evidence", () => {
  it.each([
    ["not after 11 steps", 11, undefined],
    ["after the 12th", 12, PROCESS],
    ["still when it was missed by one", 13, PROCESS],
  ])("is due %s", (_, count, purpose) => {
    expect(purposeOf(next(process(), started(), ...steps(count)))).toBe(purpose);
  });

  it("is due after so many steps as the profile says", () => {
    expect(purposeOf(next(process({ checkpoint_interval: 3 }), started(), ...steps(3)))).toBe(PROCESS);
  });

  it("waits for a tool step: neither open calls nor a turn without a call bring it", () => {
    const eleven = [started(), ...steps(11)];
    expect(next(process(), ...eleven, respond({ calls: ["a", "b"] }), toolReturned("a"))).toBeNull();
    expect(next(process(), ...eleven, respond({ content: "hm" }))).toBeNull();
    const repaired = { type: "repair-requested", reason: "no-tool-call", message: "call a tool" } as const;
    expect(next(process(), ...eleven, respond({ content: "hm" }), repaired)).toBeNull();
    expect(purposeOf(next(process(), ...eleven, respond({ content: "hm" }), repaired, ...steps(1, 13)))).toBe(PROCESS);
  });

  it("counts main-model calls and nothing else, from the last check on", () => {
    const profile = process({ checkpoint_interval: 3, on_error: "release" });
    const released = settle([started(), ...steps(3), validatorReply(PROCESS, "no JSON")], profile);
    expect(released.effect).toBeNull();
    expect(purposeOf(next(profile, ...released.bodies, ...steps(2, 4)))).toBeUndefined();
    expect(purposeOf(next(profile, ...released.bodies, ...steps(3, 4)))).toBe(PROCESS);
  });

  it("runs once, as a candidate's, when the interval's step itself submits", () => {
    const bodies = [started(), ...steps(11), ...submit("c")];
    expect(purposeOf(next(process(), ...bodies))).toBe(PROCESS);
    const checked = settle([...bodies, validatorReply(PROCESS, PASS)], process());
    expect(checked.bodies.at(-1)).toMatchObject({ type: "process-validated", trigger: "candidate", verdict: "passed" });
    expect(checked.effect).toBeNull();
  });

  it("is not due where only the forced last turn is left", () => {
    const profile = process({ checkpoint_interval: 3 }, { agent: { max_steps: 3 } });
    expect(next(profile, started(), ...steps(3))).toBeNull();
  });

  it("that rejects tells the agent, keeps it going and is due again only an interval later", () => {
    const profile = process({ checkpoint_interval: 3 });
    const { bodies } = settle([started(), ...steps(3), validatorReply(PROCESS, REJECT)], profile);
    const state = stateAfter(...bodies);
    expect(bodies.at(-1)).toMatchObject({ type: "process-validated", trigger: "periodic", candidate: null });
    expect(state.history.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("read knowledge.md on grams"),
    });
    expect(state.validation.process).toMatchObject({ rejections: 1, last_validated_step: 3, passed: false });
    expect(decide(state, profile)).toBeNull();
    expect(decideAgent(state, profile).kind).toBe("call-model");
    expect(purposeOf(next(profile, ...bodies, ...steps(3, 4)))).toBe(PROCESS);
  });
});

describe("a candidate's check of the evidence", () => {
  const submitted = [started(), ...steps(2), ...submit("c")];

  it("is due as soon as a submission produced a candidate and no call of its turn is open", () => {
    expect(purposeOf(next(process(), ...submitted))).toBe(PROCESS);
    const open = [started(), respond({ calls: ["c", "d"] }), candidate("c")];
    expect(next(process(), ...open)).toBeNull();
  });

  it("comes before the answer's", () => {
    const both = process({}, { answer_validation: { mode: "enforce" } });
    expect(purposeOf(next(both, ...submitted))).toBe(PROCESS);
    const passed = settle([...submitted, validatorReply(PROCESS, PASS)], both);
    expect(passed.effect).toMatchObject({ kind: "query", validator: "answer", answer: "tree" });
  });

  it("is not due where validation is off", () => {
    expect(next(process({ mode: "off" }), ...submitted)).toBeNull();
    expect(decideAgent(stateAfter(...submitted), process({ mode: "off" }))).toMatchObject({
      outcome: { validation: { process: "off", answer: "off" } },
    });
  });

  it("that passes sets the latch, keeps the ledger and lets the agent finish", () => {
    const { bodies, effect } = settle([...submitted, validatorReply(PROCESS, PASS)], process());
    const state = stateAfter(...bodies);
    expect(effect).toBeNull();
    expect(state.validation.process).toMatchObject({ passed: true, last_validated_step: 3, ledger: LEDGER });
    expect(decideAgent(state, process())).toMatchObject({
      kind: "finish",
      outcome: { validation: { process: "passed" } },
    });
  });

  it("that rejects counts, clears the candidate and sends issues and actions as one message", () => {
    const { bodies } = settle([...submitted, validatorReply(PROCESS, REJECT)], process());
    expect(bodies.slice(-2)).toMatchObject([
      { type: "process-validated", verdict: "rejected", issues: REJECT.issues },
      { type: "candidate-cleared", by: "process", candidate: "candidate-1.csv" },
    ]);
    const state = stateAfter(...bodies);
    expect(state.candidate).toBeNull();
    expect(state.validation.process).toMatchObject({ rejections: 1, ledger: REJECT.semantic_ledger });
    const said = state.history.at(-1);
    expect(said?.content).toContain("the unit of grams is not shown");
    expect(said?.content).toContain("read knowledge.md on grams");
    expect(JSON.stringify(state.history)).not.toContain("grams are grams");
    expect(JSON.stringify(state.history)).not.toContain("fruit_archive");
  });

  it("never asks again after a pass, whatever the agent does then", () => {
    const profile = process({ checkpoint_interval: 2 });
    const passed = settle([started(), ...steps(2), validatorReply(PROCESS, PASS)], profile).bodies;
    expect(passed.at(-1)).toMatchObject({ trigger: "periodic", verdict: "passed" });
    expect(next(profile, ...passed, ...steps(5, 3))).toBeNull();
    const later = settle([...passed, ...steps(5, 3), ...submit("c")], profile);
    expect(later.bodies.at(-1)).toMatchObject({ type: "validation-skipped", reason: "passed-before" });
    expect(later.effect).toBeNull();
    expect(decideAgent(stateAfter(...later.bodies), profile)).toMatchObject({
      outcome: { validation: { process: "passed" } },
    });
  });

  it("takes valid with unverified assumptions for a rejection and records the contradiction", () => {
    const reply = { ...PASS, semantic_ledger: { ...LEDGER, unverified_assumptions: ["grams are grams"] } };
    const { bodies } = settle([...submitted, validatorReply(PROCESS, reply)], process());
    expect(bodies.at(-2)).toMatchObject({ verdict: "rejected", inconsistent: true });
  });
});

describe("the rejections of the evidence", () => {
  const rejectedOnce = settle([started(), ...submit("c"), validatorReply(PROCESS, REJECT)], process()).bodies;
  const rejectedTwice = settle(
    [...rejectedOnce, ...steps(1, 2), ...submit("d"), validatorReply(PROCESS, REJECT)],
    process(),
  ).bodies;

  it("leave as many further checks as retry_limit says: after the second of two the check is skipped", () => {
    expect(purposeOf(next(process(), ...rejectedOnce, ...steps(1, 2), ...submit("d")))).toBe(PROCESS);
    expect(stateAfter(...rejectedTwice).validation.process.rejections).toBe(2);
    const third = settle([...rejectedTwice, ...steps(1, 4), ...submit("e")], process());
    expect(third.bodies.at(-1)).toMatchObject({
      type: "validation-skipped",
      reason: "retry-limit",
      candidate: "candidate-1.csv",
    });
    expect(third.effect).toBeNull();
    expect(decideAgent(stateAfter(...third.bodies), process())).toMatchObject({
      outcome: { kind: "answered", validation: { process: "exhausted" } },
    });
  });

  it("once spent, go on to the answer's validation", () => {
    const both = process({}, { answer_validation: { mode: "enforce" } });
    expect(settle([...rejectedTwice, ...steps(1, 4), ...submit("e")], both).effect).toMatchObject({
      validator: "answer",
    });
  });

  it.each([
    ["a candidate", [...submit("c")], { trigger: "candidate" }],
    ["the interval", steps(12), { trigger: "periodic", candidate: null }],
  ])("with retry_limit 0 skip the check of %s, recorded once", (_, bodies, event) => {
    const none = process({ retry_limit: 0 });
    const { bodies: all, effect } = settle([started(), ...bodies], none);
    expect(all.filter(({ type }) => type === "validation-skipped")).toMatchObject([
      { reason: "retry-limit", ...event },
    ]);
    expect(effect).toBeNull();
  });

  it("skip the periodic check once per interval when spent", () => {
    const spent = settle([...rejectedTwice, ...steps(12, 4)], process());
    expect(spent.bodies.at(-1)).toMatchObject({
      type: "validation-skipped",
      trigger: "periodic",
      reason: "retry-limit",
    });
    expect(next(process(), ...spent.bodies, ...steps(11, 16))).toBeNull();
    expect(recorded(next(process(), ...spent.bodies, ...steps(12, 16)))).toMatchObject({ type: "validation-skipped" });
  });

  describe("hold the next submission", () => {
    const submitting = respond({ calls: ["d"], tool: "submit_tool_result", args: '{"tool_name":"x"}' });

    it("with the same list, as a tool's failure, until a data or document call succeeds", () => {
      const refused = next(process(), ...rejectedOnce, submitting);
      expect(recorded(refused)).toMatchObject({
        type: "tool-returned",
        call_id: "d",
        ok: false,
        error: "actions-outstanding",
        args: { tool_name: "x" },
      });
      const content = recorded(refused)?.type === "tool-returned" ? recorded(refused) : null;
      expect(JSON.stringify(content)).toContain("read knowledge.md on grams");
      expect(JSON.stringify(content)).toContain("the unit of grams is not shown");
      expect(next(process(), ...rejectedOnce, ...steps(1, 2), submitting)).toBeNull();
    });

    it.each([
      ["a failed query", toolReturned("x", { ok: false }), true],
      ["a search", toolReturned("x", { tool: "search_doc" }), true],
      ["a look at the catalog", toolReturned("x", { tool: "list_context" }), true],
      ["a video's summary", toolReturned("x", { tool: "read_doc", args: { path: "q3_video_summary.md" } }), true],
      ["an image", toolReturned("x", { tool: "read_context_image", args: { path: "video/1.png" } }), false],
      ["a query", toolReturned("x"), false],
      ["a document", toolReturned("x", { tool: "read_doc", args: { path: "doc/a.md" } }), false],
      ["a table's profile", toolReturned("x", { tool: "get_table_profile", args: { table: "t" } }), false],
    ])("after %s", (_, returned, held) => {
      const effect = next(process(), ...rejectedOnce, respond({ calls: ["x"] }), returned, submitting);
      expect(effect === null).toBe(!held);
    });

    it("but run the other calls of its turn first: they may be what is required", () => {
      const turn = respond({ calls: ["q", "d"] });
      const mixed = {
        ...turn,
        response: {
          ...turn.response,
          tool_calls: turn.response.tool_calls.map((call) =>
            call.id === "d" ? { ...call, name: "submit_tool_result" } : call,
          ),
        },
      };
      expect(next(process(), ...rejectedOnce, mixed)).toMatchObject({
        kind: "call-tools",
        calls: [{ call: { id: "q" } }],
      });
      expect(next(process(), ...rejectedOnce, mixed, toolReturned("q"))).toBeNull();
      expect(recorded(next(process(), ...rejectedOnce, mixed, toolReturned("q", { ok: false })))).toMatchObject({
        call_id: "d",
        error: "actions-outstanding",
      });
    });

    it("but not in the forced last turn, where it is the only answer that there will be", () => {
      const forced = { type: "answer-forced", message: "submit now" } as const;
      expect(next(process(), ...rejectedOnce, forced, submitting)).toBeNull();
    });
  });
});

describe("the checks by code", () => {
  /** What the data say to them: the submitted SQL, run again, does not bring the candidate. */
  const answers: Readonly<Record<QueryAnswer, CheckAnswer>> = {
    tree: { ok: true, tree: { type: "SELECT_NODE", modifiers: [] } },
    signature: { ok: true, columns: ["n"], rows: 1, signature: "another" },
    rows: { ok: true, table: { columns: ["n"], types: ["BIGINT"], rows: [["1"]] }, truncated: false, ms: 1 },
  };
  /** As `settle`, with every query of a check answered. */
  function run(bodies: readonly TrialEventBody[], profile: Profile) {
    const all = [...bodies];
    for (;;) {
      const { bodies: settled, effect } = settle(all, profile);
      all.splice(0, all.length, ...settled);
      if (effect?.kind !== "query") return { bodies: all, effect };
      const { validator, why, answer, queries } = effect;
      all.push({
        type: "data-queried",
        validator,
        why,
        answer,
        queries,
        results: queries.map(() => answers[answer]),
        ms: 1,
      });
    }
  }
  const red = expect.objectContaining({ rule: "not-reproducible", level: "red" });
  const enforce = process({ mechanical: "enforce", checkpoint_interval: 3 });
  const passed = run([started(), ...steps(3), validatorReply(PROCESS, PASS)], enforce).bodies;

  it("reject a candidate without asking the model, with their findings as its issues", () => {
    const { bodies, effect } = run([started(), ...submit("c")], enforce);
    expect(effect).toBeNull();
    const issues = [expect.stringMatching(/^not-reproducible: /)];
    expect(bodies.slice(-2)).toMatchObject([
      { type: "process-validated", by: "code", verdict: "rejected", findings: [red], issues },
      { type: "candidate-cleared", by: "process" },
    ]);
    expect(bodies.some((body) => body.type === "model-responded" && body.purpose === PROCESS)).toBe(false);
    expect(stateAfter(...bodies).validation).toMatchObject({
      process: { rejections: 1 },
      outstanding: { required_next_actions: [expect.any(String)] },
    });
  });

  it("run on every candidate, also after a periodic pass, whose latch and ledger they leave", () => {
    const { bodies } = run([...passed, ...submit("c")], enforce);
    expect(bodies.at(-2)).toMatchObject({ by: "code", verdict: "rejected", findings: [red] });
    expect(stateAfter(...bodies)).toMatchObject({
      candidate: null,
      validation: { process: { passed: true, rejections: 1, ledger: LEDGER } },
    });
  });

  it("count with the model's rejections, and once those are spent are recorded and let the candidate go on", () => {
    const twice = run(
      [...run([started(), ...submit("c")], enforce).bodies, ...steps(1, 2), ...submit("d")],
      enforce,
    ).bodies;
    expect(stateAfter(...twice).validation.process.rejections).toBe(2);
    const third = run([...twice, ...steps(1, 4), ...submit("e")], enforce);
    expect(third.effect).toBeNull();
    expect(third.bodies.at(-1)).toMatchObject({ type: "validation-skipped", reason: "retry-limit", findings: [red] });
    expect(stateAfter(...third.bodies).candidate).not.toBeNull();
    const none = run([started(), ...submit("c")], process({ mechanical: "enforce", retry_limit: 0 }));
    expect(none.bodies.at(-1)).toMatchObject({ type: "validation-skipped", reason: "retry-limit", findings: [red] });
  });

  it.each([
    ["a forced answer", enforce, [{ type: "answer-forced", message: "submit now" } as const]],
    ["validation that observes", process({ mode: "observe", mechanical: "enforce" }), []],
    ["checks by code that observe", process({ mechanical: "observe" }), []],
  ])("are recorded and do not reject under %s", (_, profile, before) => {
    const { bodies, effect } = run([started(), ...before, ...submit("c")], profile);
    const asked = effect === null ? bodies : run([...bodies, validatorReply(PROCESS, PASS)], profile).bodies;
    expect(
      asked.findLast((body) => body.type === "process-validated" || body.type === "validation-skipped"),
    ).toMatchObject({ findings: [red] });
    expect(asked.some(({ type }) => type === "candidate-cleared")).toBe(false);
    const content = effect?.kind === "call-model" ? effect.request.messages[1]?.content : null;
    if (content !== null) expect(content).toContain('"rule":"not-reproducible"');
  });

  it("are none where they are off, and none on the way", () => {
    expect(purposeOf(next(process(), started(), ...submit("c")))).toBe(PROCESS);
    expect(purposeOf(next(enforce, started(), ...steps(3)))).toBe(PROCESS);
  });
});

describe("a forced answer", () => {
  const forced = [started(), ...steps(1), { type: "answer-forced", message: "submit now" } as const, ...submit("c")];

  it("skips both validators, and the outcome says so", () => {
    const both = process({}, { answer_validation: { mode: "enforce" } });
    const { bodies, effect } = settle(forced, both);
    expect(bodies.slice(-2)).toMatchObject([
      { type: "validation-skipped", validator: "process", reason: "forced-answer" },
      { type: "validation-skipped", validator: "answer", reason: "forced-answer" },
    ]);
    expect(effect).toBeNull();
    expect(decideAgent(stateAfter(...bodies), both)).toMatchObject({
      outcome: { forced: true, validation: { process: "skipped", answer: "skipped" } },
    });
  });

  it("has its mechanical findings recorded all the same", () => {
    const { effect } = settle(forced, process({ mechanical: "enforce" }));
    expect(effect).toMatchObject({ kind: "query", validator: "process", answer: "tree" });
  });
});

describe("a trial that is over", () => {
  const submitted = [started(), ...submit("c")];

  it("is not checked after a limit", () => {
    const limit = { type: "limit-reached", limit: "seconds", detail: "cut off" } as const;
    expect(next(process(), ...submitted, limit)).toBeNull();
    expect(decideAgent(stateAfter(...submitted, limit), process())).toMatchObject({
      outcome: { kind: "answered", validation: { process: "skipped" } },
    });
  });

  it("is not checked after a failure that ends it", () => {
    const failed = { ...validatorFailed(PROCESS), purpose: "agent" as const };
    expect(next(process(), started(), ...steps(12), failed)).toBeNull();
    expect(decideAgent(stateAfter(started(), ...steps(12), failed), process())).toMatchObject({
      outcome: { kind: "infra-error", class: "server" },
    });
  });

  it("keeps a candidate that came with the last of its tokens, unchecked", () => {
    const poor = process({}, { limits: { tokens: 15 } });
    expect(recorded(next(poor, ...submitted))).toMatchObject({ type: "validation-skipped", reason: "limit-reached" });
  });
});

describe("a validator that fails technically", () => {
  const submitted = [started(), ...submit("c")];
  const failures: [string, TrialEventBody][] = [
    ["a failed call", validatorFailed(PROCESS)],
    ["a reply that is not JSON", validatorReply(PROCESS, "I think it is fine.")],
    ["a reply without valid", validatorReply(PROCESS, { issues: [] })],
  ];

  it.each(failures)("releases after %s: recorded, no latch, not passed", (_, failure) => {
    const { bodies, effect } = settle([...submitted, failure], process());
    expect(effect).toBeNull();
    expect(bodies.at(-1)).toMatchObject({ verdict: "released", validator_error: expect.any(String), message: null });
    const state = stateAfter(...bodies);
    expect(state.validation.process).toMatchObject({ passed: false, rejections: 0, last_validated_step: 1 });
    expect(decideAgent(state, process())).toMatchObject({ outcome: { validation: { process: "released" } } });
  });

  it.each(failures)("is asked once more under retry after %s, then releases", (_, failure) => {
    const retry = process({ on_error: "retry" });
    expect(purposeOf(next(retry, ...submitted, failure))).toBe(PROCESS);
    const heard = settle([...submitted, failure, validatorReply(PROCESS, PASS)], retry);
    expect(heard.bodies.at(-1)).toMatchObject({ verdict: "passed", validator_error: null });
    const twice = settle([...submitted, failure, failure], retry);
    expect(twice.bodies.at(-1)).toMatchObject({ verdict: "released" });
  });

  it.each(failures)("rejects under reject after %s, with an issue that says so", (_, failure) => {
    const { bodies } = settle([...submitted, failure], process({ on_error: "reject" }));
    expect(bodies.at(-2)).toMatchObject({
      verdict: "rejected",
      issues: ["the validator could not check this"],
      validator_error: expect.any(String),
    });
    expect(stateAfter(...bodies).candidate).toBeNull();
  });

  it("is asked anew for the next candidate: a release is no latch", () => {
    const { bodies } = settle([...submitted, validatorFailed(PROCESS)], process());
    expect(purposeOf(next(process(), ...bodies, ...submit("d")))).toBe(PROCESS);
  });
});

describe("observe", () => {
  const observe = process({ mode: "observe", checkpoint_interval: 2, retry_limit: 0 });

  it("asks at every due check, acts on none and sets no latch", () => {
    const periodic = settle([started(), ...steps(2), validatorReply(PROCESS, REJECT)], observe);
    expect(periodic.bodies.at(-1)).toMatchObject({ mode: "observe", verdict: "rejected", message: null });
    const state = stateAfter(...periodic.bodies);
    expect(state.validation.process).toMatchObject({ rejections: 0, passed: false, last_validated_step: 2 });
    expect(state.history).toEqual(stateAfter(started(), ...steps(2)).history);

    const passed = settle([...periodic.bodies, ...steps(2, 3), validatorReply(PROCESS, PASS)], observe);
    const submitted = [...passed.bodies, ...submit("c")];
    expect(purposeOf(next(observe, ...submitted))).toBe(PROCESS);
    const rejected = settle([...submitted, validatorReply(PROCESS, REJECT)], observe);
    expect(rejected.effect).toBeNull();
    expect(stateAfter(...rejected.bodies).candidate).not.toBeNull();
    expect(decideAgent(stateAfter(...rejected.bodies), observe)).toMatchObject({
      kind: "finish",
      outcome: { kind: "answered", validation: { process: "observe", answer: "off" } },
    });
  });

  it("takes nothing of the trial's tokens and seconds", () => {
    const limits = { limits: { tokens: 40, seconds: 4.5 } };
    const observed = process({ mode: "observe", checkpoint_interval: 2 }, limits);
    const checked = settle([started(), ...steps(2), validatorReply(PROCESS, PASS)], observed).bodies;
    expect(checked.at(-1)).toMatchObject({ type: "process-validated" });
    expect(decideAgent(stateAfter(...checked), observed).kind).toBe("call-model");
    const enforced = process({ checkpoint_interval: 2 }, limits);
    expect(decideAgent(stateAfter(...checked), enforced)).toMatchObject({ event: { detail: "6.0 s of 4.5 s" } });
  });
});

describe("the answer's validation", () => {
  const answer = (more: Partial<Profile["answer_validation"]> = {}, rest: Parameters<typeof profileWith>[0] = {}) =>
    profileWith({ ...rest, answer_validation: { mode: "enforce", ...more } });
  const tree: TrialEventBody = {
    type: "data-queried",
    validator: "answer",
    why: "answer checks",
    answer: "tree",
    queries: ["SELECT 4 AS n"],
    results: [{ ok: true, tree: { type: "SELECT_NODE", modifiers: [], from_table: { type: "EMPTY" } } }],
    ms: 1,
  };
  const submitted = (id: string): TrialEventBody[] => [...submit(id), tree];

  it("asks the model after the rules by code, and a pass lets the agent finish", () => {
    expect(purposeOf(next(answer(), started(), ...submitted("c")))).toBe(ANSWER);
    const { bodies } = settle([started(), ...submitted("c"), validatorReply(ANSWER, { valid: true })], answer());
    expect(decideAgent(stateAfter(...bodies), answer())).toMatchObject({
      outcome: { validation: { process: "off", answer: "passed" } },
    });
  });

  const refuse = { valid: false, issues: ["a column too many"], required_next_actions: ["leave out id"] };
  const rejected = (times: number) => {
    let bodies: TrialEventBody[] = [started()];
    for (let index = 0; index < times; index++) {
      bodies = settle([...bodies, ...submitted(`c${index}`), validatorReply(ANSWER, refuse)], answer()).bodies;
    }
    return bodies;
  };

  it("that rejects clears the candidate and asks for another form; no evidence is required for it", () => {
    const state = stateAfter(...rejected(1));
    expect(state.candidate).toBeNull();
    expect(state.history.at(-1)?.content).toContain("leave out id");
    expect(next(answer(), ...rejected(1), respond({ calls: ["d"], tool: "submit_tool_result" }))).toBeNull();
  });

  it("shows its model the earlier verdicts of the trial", () => {
    const effect = next(answer(), ...rejected(1), ...submitted("d"));
    const content = effect?.kind === "call-model" ? effect.request.messages[1]?.content : "";
    expect(content).toContain("a column too many");
  });

  it("rejects at most retry_limit times and then lets the next candidate stand, exhausted", () => {
    const third = settle([...rejected(2), ...submit("e")], answer());
    expect(third.bodies.at(-1)).toMatchObject({
      type: "validation-skipped",
      validator: "answer",
      reason: "retry-limit",
    });
    expect(decideAgent(stateAfter(...third.bodies), answer())).toMatchObject({
      outcome: { kind: "answered", validation: { answer: "exhausted" } },
    });
    const none = settle([started(), ...submit("c")], answer({ retry_limit: 0 }));
    expect(none.bodies.at(-1)).toMatchObject({ type: "validation-skipped", reason: "retry-limit" });
  });

  it("keeps the last candidate for a trial that brings no other one", () => {
    const last = answer({}, { agent: { max_steps: 2, repair_limit: 0 } });
    const lost = stateAfter(...rejected(1), respond({ content: "I give up" }));
    expect(decideAgent(lost, last)).toMatchObject({
      kind: "finish",
      outcome: { kind: "answered", forced: false, validation: { process: "off", answer: "exhausted" } },
    });
  });

  it("after a pass of the evidence leaves latch and ledger as they are", () => {
    const both = process({}, { answer_validation: { mode: "enforce" } });
    const passed = settle([started(), ...submit("c"), validatorReply(PROCESS, PASS)], both).bodies;
    const refused = settle([...passed, tree, validatorReply(ANSWER, refuse)], both);
    expect(refused.bodies.slice(-2)).toMatchObject([
      { type: "answer-validated", verdict: "rejected" },
      { by: "answer" },
    ]);
    const state = stateAfter(...refused.bodies);
    expect(state.validation.process).toMatchObject({ passed: true, ledger: LEDGER, rejections: 0 });
    const again = settle([...refused.bodies, ...submit("d")], both);
    expect(again.bodies.at(-1)).toMatchObject({
      type: "validation-skipped",
      validator: "process",
      reason: "passed-before",
    });
  });

  it("releases, asks once more or rejects when it fails, like the other", () => {
    const failed = [started(), ...submitted("c"), validatorFailed(ANSWER)];
    expect(settle(failed, answer()).bodies.at(-1)).toMatchObject({ verdict: "released" });
    expect(purposeOf(next(answer({ on_error: "retry" }), ...failed))).toBe(ANSWER);
    expect(settle(failed, answer({ on_error: "reject" })).bodies.at(-2)).toMatchObject({ verdict: "rejected" });
  });

  it("in observe leaves the candidate and the agent's messages alone", () => {
    const observe = answer({ mode: "observe" });
    const { bodies, effect } = settle([started(), ...submitted("c"), validatorReply(ANSWER, refuse)], observe);
    expect(effect).toBeNull();
    expect(stateAfter(...bodies).history).toEqual(stateAfter(started(), ...submit("c")).history);
    expect(decideAgent(stateAfter(...bodies), observe)).toMatchObject({
      outcome: { validation: { answer: "observe" } },
    });
  });
});
