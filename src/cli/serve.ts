import { loadProfile } from "../config/load-profile.js";
import { UsageError } from "../core/errors.js";
import { createModels } from "../models/role-models.js";
import type { Answered } from "../serve/app.js";
import { SERVICE_LIMITS } from "../serve/limits.js";
import { startService } from "../serve/listen.js";
import { isLoopback } from "../serve/loopback.js";
import { keepVerifiers } from "../serve/verifiers.js";
import { EXIT } from "./exit.js";
import { wholeNumber } from "./option-values.js";
import { packageVersion } from "./package-version.js";
import { cacheFolder, onInterrupt, systemClock } from "./surroundings.js";
import { printLines } from "./text.js";

interface ServeOptions {
  readonly profile: readonly string[];
  readonly host: string;
  readonly port: string;
  readonly tokenEnv?: string;
  readonly set: readonly string[];
  readonly cacheDir?: string;
}

/** Shorter tokens can be guessed. */
const TOKEN_CHARACTERS = 16;

/**
 * `daw-eval serve`: the verifier over HTTP until it is told to stop. Exits 0 where every request in hand was answered by then, 3 where some were
 * cut off.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const port = portOf(options.port);
  const token = tokenOf(options);
  const files = options.profile.length === 0 ? ["builtin"] : options.profile;
  const profiles = await Promise.all(
    files.map((file) => loadProfile({ file, overrides: options.set, env: process.env })),
  );
  const named = new Map(profiles.map((profile) => [profile.name, profile]));
  const models = createModels(named, process.env, systemClock, cacheFolder(options.cacheDir), null);
  const verifiers = keepVerifiers(profiles, models);
  const service = await startService(
    { host: options.host, port },
    { verifiers, token, limits: SERVICE_LIMITS, version: packageVersion(), onAnswered: logLine, onBug },
  );
  printLines([
    `listening on ${service.url}${token === null ? "" : ", with a bearer token"}`,
    ...verifiers.map(({ name, version }) => `verifier ${name}, version ${version}`),
  ]);
  const interrupt = onInterrupt(() => process.stderr.write("stopping: requests in hand are answered first\n"));
  try {
    await new Promise((resolve) => interrupt.signal.addEventListener("abort", resolve, { once: true }));
    const cutOff = await service.stop();
    if (cutOff > 0) process.stderr.write(`daw-eval: ${cutOff} requests were cut off\n`);
    return cutOff > 0 ? EXIT.incomplete : EXIT.fine;
  } finally {
    interrupt.release();
  }
}

function portOf(text: string): number {
  const port = wholeNumber("--port", text, 0);
  if (port > 65_535) throw new UsageError(`--port ${text}: a port is at most 65535`);
  return port;
}

/** The token, which is named and never given on the command line: there every process of the machine could read it. */
function tokenOf({ host, tokenEnv }: ServeOptions): string | null {
  if (tokenEnv === undefined) {
    if (isLoopback(host)) return null;
    throw new UsageError(
      `--host ${host}: others can reach this address: name the environment variable that holds a token with --token-env`,
    );
  }
  const token = process.env[tokenEnv];
  if (!token) throw new UsageError(`--token-env ${tokenEnv}: the environment variable is not set`);
  if (token.length < TOKEN_CHARACTERS || /[^\x21-\x7e]/.test(token)) {
    throw new UsageError(
      `--token-env ${tokenEnv}: the token must have at least ${TOKEN_CHARACTERS} characters, ASCII without spaces`,
    );
  }
  return token;
}

/** One line a request, JSON. */
function logLine({ method, path, status, ms }: Answered): void {
  const line = { at: systemClock.iso(), method, path: path.slice(0, 200), status, ms };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function onBug(error: unknown): void {
  process.stderr.write(`daw-eval: a bug; please report it: ${error instanceof Error ? error.stack : String(error)}\n`);
}
