import type { Environment } from "../core/environment.js";
import { PURPOSES } from "../core/message.js";
import type { ChatModel } from "../core/ports/chat-model.js";
import type { Clock } from "../core/ports/clock.js";
import { type ModelConfig, modelFor, type Profile } from "../core/profile.js";
import { checkModel, createModel } from "./create-model.js";

/** Throws UsageError where one of the profile's models could not answer even one request. */
export function checkModels(profile: Profile, env: Environment): void {
  for (const config of configsOf(profile)) checkModel(config, env);
}

/** All models of a profile as one: each request goes to the model of its purpose. Throws UsageError as `checkModels` does. */
export function createModels(profile: Profile, env: Environment, clock: Clock): ChatModel {
  const models = new Map(configsOf(profile).map((config) => [config, createModel(config, env, clock)]));
  return {
    respond: async (request, call) => {
      const model = models.get(modelFor(profile, request.purpose));
      if (model === undefined) throw new Error(`no model for ${request.purpose}`);
      return await model.respond(request, call);
    },
  };
}

/** Roles without a model of their own share one, and with it what it knows of its endpoint's limits. */
function configsOf(profile: Profile): ModelConfig[] {
  return [...new Set(PURPOSES.map((purpose) => modelFor(profile, purpose)))];
}
