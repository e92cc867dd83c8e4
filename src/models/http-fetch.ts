import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** A reply that is bigger is not one of a language model. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The endpoint answered, but not with something that can be read as its answer. */
export class ReplyError extends Error {
  readonly code = "reply";
}

/**
 * `fetch` for one endpoint over node:http. The built-in one gives up after 300 s of silence, which a reasoning model may
 * need, follows redirects with the key in hand, and knows neither proxy nor CA file. Whole replies only: the promise
 * resolves when the body is here, so that a time limit covers it. Redirects are not followed.
 */
export function httpFetch(): Fetch {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const secure = url.protocol === "https:";
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = secure ? httpsRequest : httpRequest;
      const outgoing = send(url, {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        agent: secure ? agents.https : agents.http,
        ...(init.signal ? { signal: init.signal } : {}),
      });
      outgoing.once("response", resolve).on("error", reject);
      outgoing.end(typeof init.body === "string" ? init.body : undefined);
    });
    const body = await readWhole(incoming).catch((error: unknown) => {
      // An aborted reply ends as a broken connection would: the abort is the cause.
      init.signal?.throwIfAborted();
      throw error;
    });
    const headers = new Headers();
    for (const [name, values] of Object.entries(incoming.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    return new Response(body.length === 0 ? null : body, { status: incoming.statusCode ?? 500, headers });
  };
}

async function readWhole(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) throw new ReplyError(`the reply is bigger than ${MAX_REPLY_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}
