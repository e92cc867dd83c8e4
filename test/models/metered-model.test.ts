import { describe, expect, it } from "vitest";
import type { ModelConfig } from "../../src/core/profile.js";
import { createModel } from "../../src/models/create-model.js";
import { metered } from "../../src/models/metered-model.js";
import { errorReply, type ModelScript, textReply } from "../support/model-server.js";
import { clock, ENV, modelConfig, modelRequest, respond, serve } from "./ask.js";

/** What it took to ask a scripted model `times` times, and how often it was heard to fail on the way. */
async function spentOn(
  script: ModelScript,
  times: number,
  price: ModelConfig["price"] = { input: 1, output: 2, cached_input: null },
) {
  const { base_url } = await serve(script);
  const meter = metered(createModel(modelConfig({ base_url, price }), ENV, clock));
  let retries = 0;
  for (let asked = 0; asked < times; asked++) retries += (await respond(meter.model, modelRequest())).retries.length;
  return { ...meter.spent(), retries };
}

describe("a metered model", () => {
  it("has taken nothing before it is asked", async () => {
    expect(await spentOn([], 0)).toMatchObject({
      calls: 0,
      failed_requests: 0,
      input_tokens: null,
      cost_usd: null,
      seconds: 0,
    });
  });

  it("counts requests that failed, those that were tried again and the one that was given up, and tells whoever listens", async () => {
    const script = [errorReply(500, "no"), textReply("yes"), ...Array.from({ length: 3 }, () => errorReply(503, "no"))];
    const spent = { calls: 1, failed_requests: 4, input_tokens: 100, output_tokens: 20, cost_usd: 0.00014, retries: 3 };
    expect(await spentOn(script, 2)).toMatchObject(spent);
  });

  it("adds tokens up, and says for how many calls nobody knows the price", async () => {
    const usage = { prompt_tokens: 50, completion_tokens: null };
    const script = [
      textReply("a"),
      textReply("b", { completion: { usage } }),
      textReply("c", { completion: { usage: null } }),
    ];
    const spent = { calls: 3, input_tokens: 150, output_tokens: 20, cost_usd: 0.00014, unpriced_calls: 2 };
    expect(await spentOn(script, 3)).toMatchObject({
      ...spent,
      seconds: expect.toSatisfy((taken: number) => taken > 0),
    });
    expect(await spentOn([textReply("a")], 1, null)).toMatchObject({ cost_usd: null, unpriced_calls: 1 });
  });
});
