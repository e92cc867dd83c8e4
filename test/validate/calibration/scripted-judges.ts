import { textOf } from "../../../src/core/message.js";
import { createModels } from "../../../src/models/role-models.js";
import { judgeExamples } from "../../../src/run/calibrate/judge-examples.js";
import { type Calibration, calibrationOf } from "../../../src/validate/calibration/calibration.js";
import type { Example } from "../../../src/validate/calibration/example.js";
import { rule } from "../../../src/validate/calibration/rule.js";
import { clock, ENV, modelConfig, serve } from "../../models/ask.js";
import { type ModelScript, textReply } from "../../support/model-server.js";
import { profileWith } from "../../support/profile.js";

export type Manner = "strict" | "lax";

/** A judge that knows each example: a strict one refuses what is labelled bad, a lax one refuses nothing. */
export function scriptedJudge(examples: readonly Example[], manner: Manner): ModelScript {
  const bad = new Set(examples.filter(({ label }) => label === "bad").flatMap(questionOf));
  return ({ body }) => {
    const passes = manner === "lax" || !bad.has(body.messages[1]?.content ?? "");
    const verdict = {
      score: passes ? 0.9 : 0.3,
      valid: passes,
      problem: passes ? "none" : "It is bad.",
      reason: "So.",
    };
    return textReply(JSON.stringify({ ...verdict, issues: passes ? [] : ["It is bad."] }));
  };
}

function questionOf({ judged }: Example): string[] {
  const next = rule(judged, profileWith({}), 0, null);
  const asked = next.kind === "ask" ? next.request.messages[1] : undefined;
  return asked === undefined ? [] : [textOf(asked)];
}

/** What such a judge makes of the examples, asked over HTTP. */
export async function rulingsOf(examples: readonly Example[], manner: Manner): Promise<Calibration> {
  const server = await serve(scriptedJudge(examples, manner));
  const profile = profileWith({ model: modelConfig({ base_url: server.base_url }) });
  const model = createModels(new Map([["main", profile]]), ENV, clock, "", null).get("main");
  if (model === undefined) throw new Error("no model");
  const { signal } = new AbortController();
  const ruled = await judgeExamples(examples, { profile, model, repeats: 1, signal });
  return calibrationOf(ruled, profile.verification.passed_at, { pass: 0.9, interception: 1 });
}
