import type { Environment } from "../core/environment.js";
import { UsageError } from "../core/errors.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { ModelConfig } from "../core/profile.js";
import { readCredentials } from "./credentials.js";

/** Throws UsageError where the model could not answer even one request: a variable that it needs is not set. */
export function checkModel(config: ModelConfig, env: Environment): void {
  if (config.provider === "lexical") return;
  const { problems } = readCredentials(config, env);
  if (problems.length > 0) throw new UsageError(problems);
}

/** The model of a profile. Its provider's code is loaded with the first request. Throws UsageError as `checkModel` does. */
export function createModel(config: ModelConfig, env: Environment, clock: Clock): ChatModel {
  checkModel(config, env);
  let loading: Promise<ChatModel> | null = null;
  return {
    respond: async (request, call) => {
      loading ??= loadModel(config, env, clock);
      return (await loading).respond(request, call);
    },
  };
}

async function loadModel(config: ModelConfig, env: Environment, clock: Clock): Promise<ChatModel> {
  switch (config.provider) {
    case "lexical":
      throw new UsageError("model.provider: lexical is not in this build; take openai");
    case "openai":
      return (await import("./openai.js")).createOpenAiModel(config, readCredentials(config, env), clock);
  }
}
