import { type Environment, replaceVariables } from "../core/environment.js";
import type { ModelConfig } from "../core/profile.js";
import { type HttpProxy, readProxy } from "./proxy.js";

/** What a profile only names, with the environment's values in it. Never logged. */
export interface Credentials {
  /** Null for an endpoint without keys. */
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra_body: Readonly<Record<string, unknown>>;
  readonly proxy: HttpProxy | null;
  /** Every value that came from the environment: what must not come out again. */
  readonly secrets: readonly string[];
  /** What is missing, in words; empty where all is there. */
  readonly problems: readonly string[];
}

/** Looks up the key and the references in headers, extra_body and proxy. */
export function readCredentials(config: ModelConfig, env: Environment): Credentials {
  const secrets: string[] = [];
  const problems: string[] = [];
  const put = (text: string, where: string): string => {
    const replaced = replaceVariables(text, env);
    secrets.push(...replaced.values);
    problems.push(...replaced.problems.map((problem) => `${where}: ${problem}`));
    return replaced.text;
  };
  const putAll = (value: unknown, where: string): unknown => {
    if (typeof value === "string") return put(value, where);
    if (Array.isArray(value)) return value.map((item, index) => putAll(item, `${where}.${index}`));
    return isMembers(value) ? putMembers(value, where, putAll) : value;
  };
  const key = config.api_key_env === null ? null : env[config.api_key_env] || null;
  if (key !== null) secrets.push(key);
  if (key === null && config.api_key_env !== null) {
    problems.push(
      `model.api_key_env: the environment variable ${config.api_key_env} is not set: set it to the key, or set api_key_env to null for an endpoint without keys`,
    );
  }
  const headers = putMembers(config.headers, "model.headers", put);
  const extra_body = putMembers(config.extra_body, "model.extra_body", putAll);
  const proxyText = config.proxy === null ? null : put(config.proxy, "model.proxy");
  const proxy = proxyText === null ? null : readProxy(proxyText);
  if (proxyText !== null && proxy === null) problems.push("model.proxy: must be an http:// URL");
  secrets.push(...(proxy?.secrets ?? []));
  return { key, headers, extra_body, proxy, secrets, problems };
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object";
}

function putMembers<From, To>(
  members: Readonly<Record<string, From>>,
  where: string,
  put: (value: From, where: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, put(value, `${where}.${name}`)]));
}
