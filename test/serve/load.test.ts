import net from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { serve } from "../../src/cli/serve.js";
import { startCli } from "../support/cli.js";
import { BODY } from "./serving.js";

const TOKEN = "canary-token-0123456789";
const REQUESTS = 1000;
const AT_ONCE = 32;
/** Requests that never end, beside the others. */
const SLOW = 8;
const SECRET_WORD = "heliotrope";

/** What each of ten requests is, and what becomes of it. */
const KINDS = [
  { status: 413, body: JSON.stringify({ ...BODY, output: "x".repeat(300_000) }) },
  { status: 400, body: '{"task": "How many' },
  { status: 400, body: JSON.stringify({ ...BODY, transcript: SECRET_WORD }) },
  { status: 401, body: JSON.stringify(BODY), token: "wrong-token-0123456789" },
  ...Array.from({ length: 2 }, () => ({ status: 200, body: JSON.stringify({ ...BODY, accept: SECRET_WORD }) })),
  // Large enough that a service that kept what it answered would not get through in its memory.
  ...Array.from({ length: 4 }, () => ({
    status: 200,
    body: JSON.stringify({ ...BODY, task: `${SECRET_WORD} ${"x".repeat(200_000)}`, output: "12" }),
  })),
];

/** Begins a request and does not go on with it; returns how to leave. */
function dawdle(url: string): () => void {
  const { hostname, port } = new URL(url);
  const head = `POST /v1/verify HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n`;
  const socket = net.connect(Number(port), hostname, () => {
    socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"task":`);
  });
  socket.on("error", () => {}).resume();
  return () => socket.destroy();
}

async function ask(url: string, { body, token = TOKEN }: { readonly body: string; readonly token?: string }) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/verify`, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

describe("daw-eval serve", () => {
  it("answers 1,000 requests, 32 at a time, in bounded memory, and stops when it is told to", {
    timeout: 180_000,
  }, async () => {
    const service = startCli(["serve", "--port", "0", "--token-env", "SERVICE_TOKEN"], {
      env: { SERVICE_TOKEN: TOKEN, NODE_OPTIONS: "--max-old-space-size=64" },
    });
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      service.child.stdout?.on("data", (text: string) => {
        said += text;
        const found = /listening on (http:\S+), with a bearer token\n/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      void service.done.then(({ stderr }) => reject(new Error(stderr)));
    });
    let next = 0;
    const wrong: string[] = [];
    const worker = async () => {
      for (let index = next++; index < REQUESTS; index = next++) {
        const kind = KINDS[index % KINDS.length];
        if (kind === undefined) throw new Error("no such kind");
        const status = await ask(url, kind);
        if (status !== kind.status) wrong.push(`${index}: ${status} instead of ${kind.status}`);
      }
    };
    const slow = Array.from({ length: SLOW }, () => dawdle(url));
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(wrong).toEqual([]);
    for (const leave of slow) leave();
    service.child.kill("SIGTERM");
    const { code, stdout, stderr } = await service.done;
    expect(code).toBe(0);
    const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
    const logged = lines.map((line) => LOG_LINE.parse(JSON.parse(line)));
    const count = (...statuses: readonly number[]) => logged.filter(({ status }) => statuses.includes(status)).length;
    expect([count(200), count(400), count(401), count(413)]).toEqual([600, 200, 100, 100]);
    // They left, or their time was up before.
    expect([count(408, 499), logged.length]).toEqual([SLOW, REQUESTS + SLOW]);
    for (const secret of [TOKEN, SECRET_WORD, BODY.task]) expect(stdout + stderr).not.toContain(secret);
  });

  it("refuses other addresses without a token, tokens that are not there or can be guessed, and ports that are none", async () => {
    const options = { profile: [], host: "127.0.0.1", port: "0", set: [] };
    await expect(serve({ ...options, host: "0.0.0.0" })).rejects.toThrow(/--host 0\.0\.0\.0: .+ --token-env/);
    await expect(serve({ ...options, tokenEnv: "NO_SUCH_TOKEN" })).rejects.toThrow(/NO_SUCH_TOKEN: .+ not set/);
    vi.stubEnv("SHORT_TOKEN", "secret");
    vi.stubEnv("LONG_TOKEN", TOKEN);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(serve({ ...options, tokenEnv: "SHORT_TOKEN" })).rejects.toThrow(
      /SHORT_TOKEN: .+ at least 16 characters/,
    );
    await expect(serve({ ...options, port: "70000" })).rejects.toThrow(/--port 70000/);
    await expect(serve({ ...options, host: "192.0.2.1", tokenEnv: "LONG_TOKEN" })).rejects.toThrow(
      /cannot listen on 192\.0\.2\.1:0/,
    );
  });
});

const LOG_LINE = z.strictObject({
  at: z.iso.datetime(),
  method: z.literal("POST"),
  path: z.literal("/v1/verify"),
  status: z.int(),
  ms: z.int(),
});
