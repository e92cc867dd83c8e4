import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/** One request that the server got, in the order of arrival. */
export interface ModelRequestSeen {
  /** From 0. */
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body. */
  readonly body: ChatBody;
  /** `performance.now()` when it was there. */
  readonly at: number;
}

/** What tests look at in a chat-completions request. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly type: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
  readonly tools?: readonly { readonly type: string; readonly function: { readonly name: string } }[];
  readonly [key: string]: unknown;
}

/** What the server answers, and how badly. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body: unknown;
  /** Wait before the status line. */
  readonly header_delay_ms?: number;
  /** Wait in the middle of the body. */
  readonly body_delay_ms?: number;
  /** Destroys the connection: before the status line, or in the middle of the body. */
  readonly cut?: "before-headers" | "in-body";
}

/** Answers a request, or says how to: a function, or a list of replies for request 0, 1, …; a request beyond it gets a 501. */
export type ModelScript = readonly Reply[] | ((request: ModelRequestSeen) => Reply | Promise<Reply>);

export interface ModelServer {
  /** For `model.base_url`: `http://127.0.0.1:<port>/v1`, https where it has `tls`. */
  readonly base_url: string;
  readonly requests: readonly ModelRequestSeen[];
  /** Requests that are being answered now, and the most there were at once. */
  readonly inFlight: { readonly now: number; readonly most: number };
  close(): Promise<void>;
}

/** A real OpenAI-compatible HTTP server on a free port of the loopback, which answers by a script and remembers what it was asked. */
export async function startModelServer(
  script: ModelScript,
  tls?: { readonly key: string; readonly cert: string },
): Promise<ModelServer> {
  const requests: ModelRequestSeen[] = [];
  const inFlight = { now: 0, most: 0 };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    inFlight.now++;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    outgoing.once("close", () => inFlight.now--);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request: ModelRequestSeen = {
      index: requests.length,
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(chunks).toString("utf8")),
      at: performance.now(),
    };
    requests.push(request);
    const scripted = typeof script === "function" ? await script(request) : script[request.index];
    await send(scripted ?? errorReply(501, `the script has no reply ${request.index}`), outgoing);
  };
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    // A script that throws, or a client that leaves: the client sees a broken connection, the test goes on.
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  const server = tls === undefined ? createServer(serve) : createSecureServer(tls, serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return {
    base_url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${address.port}/v1`,
    requests,
    inFlight,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(reply: Reply, outgoing: ServerResponse): Promise<void> {
  if (reply.header_delay_ms !== undefined) await sleep(reply.header_delay_ms, undefined, { ref: false });
  if (reply.cut === "before-headers") return void outgoing.destroy();
  const bytes = bytesOf(reply.body);
  outgoing.writeHead(reply.status ?? 200, {
    "content-type": "application/json",
    "content-length": String(bytes.length),
    ...reply.headers,
  });
  if (reply.cut === undefined && reply.body_delay_ms === undefined) return void outgoing.end(bytes);
  const half = Math.ceil(bytes.length / 2);
  await new Promise((resolve) => outgoing.write(bytes.subarray(0, half), resolve));
  await sleep(reply.body_delay_ms ?? 20, undefined, { ref: false });
  if (reply.cut === "in-body") return void outgoing.destroy();
  outgoing.end(bytes.subarray(half));
}

function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

interface ReplyOptions extends Omit<Reply, "body"> {
  /** Merged into the completion, e.g. `usage`, `model`. */
  readonly completion?: Readonly<Record<string, unknown>>;
  /** Merged into its message, e.g. `reasoning_content`. */
  readonly message?: Readonly<Record<string, unknown>>;
  readonly finish_reason?: string;
}

/** A completion that says `text`. */
export function textReply(text: string | null, options: ReplyOptions = {}): Reply {
  return completion({ content: text }, options.finish_reason ?? "stop", options);
}

export interface ScriptedCall {
  readonly name: string;
  /** An object is sent as JSON text, text as it is (so that it can be broken). */
  readonly args: unknown;
  /** `call_<position>` unless given. */
  readonly id?: string;
}

/** A completion that calls tools. */
export function toolCallReply(calls: readonly ScriptedCall[], options: ReplyOptions = {}): Reply {
  const tool_calls = calls.map(({ name, args, id }, position) => ({
    id: id ?? `call_${position}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  return completion({ content: null, tool_calls }, options.finish_reason ?? "tool_calls", options);
}

/** A failure; text becomes OpenAI's error shape. */
export function errorReply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: typeof body === "string" ? { error: { message: body } } : body };
}

function completion(message: object, finish_reason: string, options: ReplyOptions): Reply {
  const { completion: more, message: moreOfMessage, finish_reason: _finish, ...reply } = options;
  return {
    ...reply,
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 0,
      model: "scripted-model",
      choices: [{ index: 0, message: { role: "assistant", ...message, ...moreOfMessage }, finish_reason }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      ...more,
    },
  };
}
