import { stableJson } from "../core/digest.js";
import type { Environment } from "../core/environment.js";
import { UsageError } from "../core/errors.js";
import { PURPOSES } from "../core/message.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import { type ModelConfig, modelFor, type Profile } from "../core/profile.js";
import { checkModel, createModel } from "./create-model.js";
import { withResponseCache } from "./response-cache.js";
import { createThrottle, throttleLimits } from "./throttle.js";

/** Throws UsageError where one of the profile's models could not answer even one request. `custom`: of the running program. */
export function checkModels(profile: Profile, env: Environment, custom: ChatModel | null = null): void {
  for (const config of configsOf(profile)) {
    if (config.provider === "custom") given(custom);
    else checkModel(config, env);
  }
}

function given(custom: ChatModel | null): ChatModel {
  if (custom !== null) return custom;
  throw new UsageError(
    "model.provider custom: the model comes from a program, not from the command line (docs/library.md)",
  );
}

/**
 * All models of each profile as one: a request goes to the model of its purpose. Equal configurations share a model, and all models of one account
 * share what holds their requests back, so that arms side by side do not ask for more than one would. Responses are kept below `cacheDir` where
 * a profile says so. `custom` answers where a profile's provider is that. Throws UsageError as `checkModels` does.
 */
export function createModels(
  profiles: ReadonlyMap<string, Profile>,
  env: Environment,
  clock: Clock,
  cacheDir: string,
  custom: ChatModel | null,
): ReadonlyMap<string, ChatModel> {
  const throttleOf = shared(accountOf, (config: ModelConfig) => createThrottle(throttleLimits(config), clock));
  const modelOf = shared(stableJson, (config: ModelConfig) => {
    const model = config.provider === "custom" ? given(custom) : createModel(config, env, clock, throttleOf(config));
    return config.cache_responses ? withResponseCache(model, config, cacheDir) : model;
  });
  return new Map(
    [...profiles].map(([arm, profile]) => {
      const models = new Map(configsOf(profile).map((config) => [config, modelOf(config)]));
      return [arm, byPurpose(profile, models)];
    }),
  );
}

function byPurpose(profile: Profile, models: ReadonlyMap<ModelConfig, ChatModel>): ChatModel {
  return {
    respond: async (request, call) => {
      const model = models.get(modelFor(profile, request.purpose));
      if (model === undefined) throw new Error(`no model for ${request.purpose}`);
      return await model.respond(request, call);
    },
  };
}

/** `make`, called once for each key. */
function shared<Value>(
  keyOf: (config: ModelConfig) => string,
  make: (config: ModelConfig) => Value,
): (config: ModelConfig) => Value {
  const made = new Map<string, Value>();
  return (config) => {
    const key = keyOf(config);
    const value = made.get(key) ?? make(config);
    made.set(key, value);
    return value;
  };
}

/** Who is asked, on whose account, and within which limits. */
const accountOf = (config: ModelConfig): string =>
  stableJson([config.provider, config.base_url, config.api_key_env, throttleLimits(config)]);

function configsOf(profile: Profile): ModelConfig[] {
  return [...new Set(PURPOSES.map((purpose) => modelFor(profile, purpose)))];
}
