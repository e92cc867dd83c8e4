import type { Message, ModelResponse } from "../../../src/core/message.js";
import type { Table } from "../../../src/core/ports/query-worker.js";
import { createLexicalModel } from "../../../src/models/lexical/lexical-model.js";
import { toolSchemas } from "../../../src/tools/registry.js";
import { NO_IMAGES } from "../../support/images.js";
import type { Caller } from "../../tools/tool-fixture.js";
import { modelConfig } from "../ask.js";

export interface LexicalTrial {
  readonly answer: Table | null;
  readonly conclusion: string | null;
  readonly responses: readonly ModelResponse[];
}

export interface Asked {
  readonly question: string;
  readonly knowledge?: string;
  readonly temperature?: number;
  readonly seed?: number;
}

const MOST_STEPS = 24;

/** Lets the baseline work a question through the real tools until it has submitted. */
export async function ask(caller: Caller, asked: Asked): Promise<LexicalTrial> {
  const model = createLexicalModel(modelConfig({ provider: "lexical", name: "lexical-1", temperature: 0 }));
  const history: Message[] = [];
  const responses: ModelResponse[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const reply = await model.respond(
      {
        purpose: "agent",
        messages: [...opening(asked), ...history],
        tools: toolSchemas(false),
        temperature: asked.temperature ?? 0,
        seed: asked.seed ?? 1,
        max_output_tokens: null,
      },
      {
        signal: new AbortController().signal,
        on_retry: async () => {},
        on_wait: async () => {},
        asked_before: 0,
        images: NO_IMAGES,
      },
    );
    if (!reply.ok) throw new Error(reply.failure.message);
    const { response } = reply;
    responses.push(response);
    history.push({ role: "assistant", content: response.content, tool_calls: response.tool_calls });
    for (const call of response.tool_calls) {
      const args: unknown = JSON.parse(call.arguments);
      const result = await caller.call(call.name, args);
      if (result.submission !== undefined) {
        return { answer: result.submission.table, conclusion: result.submission.conclusion, responses };
      }
      history.push({ role: "tool", tool_call_id: call.id, content: result.content });
    }
  }
  return { answer: null, conclusion: null, responses };
}

/** The opening messages of a trial, as far as the baseline reads them. */
export function opening({ question, knowledge }: Asked): readonly Message[] {
  const guide = knowledge === undefined ? "" : `<knowledge>\n${knowledge}\n</knowledge>\n\n`;
  return [
    { role: "system", content: "You are a data analyst." },
    { role: "user", content: `${guide}<question>\n${question}\n</question>\n\nAnswer the question.` },
  ];
}
