import { describe, expect, it } from "vitest";
import { type CliStage, cliStage, turnOf } from "../support/cli-run.js";
import { textReply, toolCallReply } from "../support/model-server.js";

/** Three turns with a tool that needs no data child, each with its reasoning, then the trial is given up. */
const stageWith = (model: string): Promise<CliStage> =>
  cliStage({
    script: (request) => {
      const turn = turnOf(request);
      const message = { reasoning_content: `thought ${turn}` };
      return turn < 3
        ? toolCallReply([{ name: "list_context", args: {}, id: `c${turn}` }], { message })
        : textReply("no", { message });
    },
    model,
    profile: "agent: {repair_limit: 0}\nrepeats: 1",
  });

/** What the assistant messages of the last request carry, oldest first. */
const sentBack = ({ server }: CliStage): unknown[] =>
  (server.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === "assistant")
    .map((message) => Object.entries(message).find(([key]) => key === "reasoning_content")?.[1]);

describe("reasoning", () => {
  it("is kept in the log and not sent back", async () => {
    const stage = await stageWith("send_seed: true");
    await stage.run();
    expect(sentBack(stage)).toEqual([undefined, undefined, undefined]);
    const said = (await stage.events("task_1", 1)).flatMap((event) =>
      event.type === "model-responded" ? [event.response.reasoning] : [],
    );
    expect(said).toEqual(["thought 0", "thought 1", "thought 2", "thought 3"]);
  });

  it("of the last turns is sent back where the profile asks for them", async () => {
    const two = await stageWith("reasoning_history: 2");
    await two.run();
    expect(sentBack(two)).toEqual([undefined, "thought 1", "thought 2"]);
  });

  it("is sent back whole with `all`, so that the conversation only grows at its end", async () => {
    const stage = await stageWith("reasoning_history: all");
    await stage.run();
    expect(sentBack(stage)).toEqual(["thought 0", "thought 1", "thought 2"]);
    const conversations = stage.server.requests.map(({ body }) => body.messages);
    for (const [index, messages] of conversations.entries()) {
      const before = conversations[index - 1] ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
  });
});
