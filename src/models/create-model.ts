import { readFileSync } from "node:fs";
import type { Environment } from "../core/environment.js";
import { UsageError } from "../core/errors.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import type { ModelConfig } from "../core/profile.js";
import { readCredentials } from "./credentials.js";
import { createThrottle, type Throttle, throttleLimits } from "./throttle.js";

/** Throws UsageError where the model could not answer even one request: a variable that it needs is not set, its CA file is not there. */
export function checkModel(config: ModelConfig, env: Environment): void {
  if (config.provider !== "openai") return;
  const { problems } = readCredentials(config, env);
  if (problems.length > 0) throw new UsageError(problems);
  readAuthorities(config);
}

/**
 * The model of a profile; models of one account share a throttle. The provider's code is loaded with the first request. Throws
 * UsageError as `checkModel` does.
 */
export function createModel(
  config: ModelConfig,
  env: Environment,
  clock: Clock,
  throttle: Throttle = createThrottle(throttleLimits(config), clock),
): ChatModel {
  checkModel(config, env);
  let loading: Promise<ChatModel> | null = null;
  return {
    respond: async (request, call) => {
      loading ??= loadModel(config, env, clock, throttle);
      return (await loading).respond(request, call);
    },
  };
}

/** Refuses whoever asks. */
const NO_MODEL: ChatModel = {
  respond: async () => {
    const failure = {
      class: "not-found",
      message: "the profile has no model (model.provider: none)",
      status: null,
    } as const;
    return { ok: false, failure, request_ms: 0 };
  },
};

async function loadModel(config: ModelConfig, env: Environment, clock: Clock, throttle: Throttle): Promise<ChatModel> {
  switch (config.provider) {
    case "none":
      return NO_MODEL;
    case "lexical":
      return (await import("./lexical/lexical-model.js")).createLexicalModel(config);
    case "custom":
      throw new Error("a custom model is brought, not made");
    case "openai":
      return (await import("./openai.js")).createOpenAiModel(
        config,
        readCredentials(config, env),
        readAuthorities(config),
        throttle,
        clock,
      );
  }
}

/** The text of `ca_file`. Throws UsageError where it cannot be read. */
function readAuthorities({ ca_file }: ModelConfig): string | null {
  if (ca_file === null) return null;
  try {
    const text = readFileSync(ca_file, "utf8");
    if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  } catch (error) {
    throw new UsageError(`model.ca_file: ${ca_file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`model.ca_file: ${ca_file}: holds no certificate in PEM form`);
}
