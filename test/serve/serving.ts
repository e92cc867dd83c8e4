import net from "node:net";
import { onTestFinished } from "vitest";
import type { Profile } from "../../src/core/profile.js";
import { createModels } from "../../src/models/role-models.js";
import type { Answered } from "../../src/serve/app.js";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/serve/limits.js";
import { type Service, startService } from "../../src/serve/listen.js";
import { keepVerifiers } from "../../src/serve/verifiers.js";
import { clock, ENV, modelConfig, serve } from "../models/ask.js";
import type { ModelScript, ModelServer } from "../support/model-server.js";
import { profileWith } from "../support/profile.js";

export const BODY = {
  task: "How many ferries?",
  output: "There are 12 ferries on the northern line.",
  accept: "a number",
};

export interface Serving {
  readonly service: Service;
  /** One line a request, in the order of the answers. */
  readonly answered: readonly Answered[];
  readonly bugs: readonly unknown[];
}

/** A service on a free port of the loopback, stopped when the test is over. */
export async function serving(
  profiles: readonly Profile[],
  more: { readonly limits?: Partial<ServiceLimits>; readonly token?: string } = {},
): Promise<Serving> {
  const models = createModels(new Map(profiles.map((profile) => [profile.name, profile])), ENV, clock, "", null);
  const answered: Answered[] = [];
  const bugs: unknown[] = [];
  const service = await startService(
    { host: "127.0.0.1", port: 0 },
    {
      verifiers: keepVerifiers(profiles, models),
      token: more.token ?? null,
      limits: { ...SERVICE_LIMITS, shutdown_ms: 50, ...more.limits },
      version: "1.2.3",
      onAnswered: (one) => void answered.push(one),
      onBug: (error) => void bugs.push(error),
    },
  );
  onTestFinished(async () => void (await service.stop()));
  return { service, answered, bugs };
}

/** A profile whose judge answers by a script over HTTP, without retries. */
export async function judgedBy(
  script: ModelScript,
  name = "scripted",
  verification: Partial<Profile["verification"]> = {},
): Promise<{ readonly profile: Profile; readonly judge: ModelServer }> {
  const judge = await serve(script);
  const retries = { max: 0, min_wait_ms: 1, max_wait_ms: 1 };
  const model = modelConfig({ base_url: judge.base_url, name: `${name}-judge`, retries });
  return { profile: { ...profileWith({ model, verification }), name }, judge };
}

export const score = (value: number) => JSON.stringify({ score: value, reason: "So.", problem: "none" });

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export async function post(
  service: Service,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return read(
    await fetch(`${service.url}/v1/verify`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

export async function get(service: Service, path: string, headers: Readonly<Record<string, string>> = {}) {
  return read(await fetch(`${service.url}${path}`, { headers }));
}

async function read(response: Response): Promise<Answer> {
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, headers: response.headers, body: await response.json() };
}

/** Sends bytes as they are, and resolves with all that comes back until the service closes the connection. */
export function raw(service: Service, text: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    let back = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      back += chunk;
    });
    socket.on("error", reject).on("close", () => resolve(back));
  });
}

/** Sends bytes, ends the connection in good order and resolves when the service has closed it too. */
export function hangUp(service: Service, text: string): Promise<void> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.end(text));
    socket
      .on("error", () => {})
      .on("close", () => resolve())
      .resume();
  });
}
