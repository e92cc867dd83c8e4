import { readFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkModel, createModel } from "../../src/models/create-model.js";
import { folderWith } from "../support/folder.js";
import { type ModelServer, startModelServer, textReply } from "../support/model-server.js";
import { usageLines } from "../support/usage-lines.js";
import { clock, ENV, modelConfig, modelRequest, respond, serve } from "./ask.js";

/** A self-signed certificate for 127.0.0.1 that is trusted by nobody, and its key. */
const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const TLS = { cert: readFileSync(tlsFile("certificate"), "utf8"), key: readFileSync(tlsFile("key"), "utf8") };

async function serveSecurely(): Promise<ModelServer> {
  const server = await startModelServer(() => textReply("a"), TLS);
  onTestFinished(() => server.close());
  return server;
}

interface Proxy {
  readonly url: string;
  /** `CONNECT host:port` or `POST url`, with the credentials that came along. */
  readonly seen: string[];
}

/** A real HTTP proxy that relays requests and tunnels, or refuses tunnels. */
async function startProxy(refuse = false): Promise<Proxy> {
  const seen: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url} ${incoming.headers["proxy-authorization"] ?? "-"}`);
    const { "proxy-authorization": _own, ...headers } = incoming.headers;
    const onward = httpRequest(incoming.url ?? "", { method: incoming.method ?? "GET", headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  proxy.on("connect", (incoming, client) => {
    seen.push(`CONNECT ${incoming.url} ${incoming.headers["proxy-authorization"] ?? "-"}`);
    if (refuse) return void client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const [host, port] = (incoming.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy listens on no port");
  return { url: `http://127.0.0.1:${address.port}`, seen };
}

const askWith = (config: Parameters<typeof modelConfig>[0], env: Record<string, string> = ENV) =>
  respond(createModel(modelConfig(config), env, clock), modelRequest());

describe("an https endpoint", () => {
  it("whose certificate nobody vouches for is a connection failure that no retry mends", async () => {
    const { base_url, requests } = await serveSecurely();
    const { reply, retries } = await askWith({ base_url });
    expect(reply).toMatchObject({
      ok: false,
      failure: { class: "connection", message: expect.stringMatching(/self-signed/) },
    });
    expect([retries.length, requests.length]).toEqual([0, 0]);
  });

  it("is trusted through the profile's CA file", async () => {
    const { base_url } = await serveSecurely();
    const { reply } = await askWith({ base_url, ca_file: tlsFile("certificate") });
    expect(reply).toMatchObject({ ok: true, response: { content: "a" } });
  });
});

describe("a proxy", () => {
  it("relays http requests, without and with credentials, which never come back", async () => {
    const [proxy, server] = [await startProxy(), await serve(() => textReply("a"))];
    expect((await askWith({ base_url: server.base_url, proxy: proxy.url })).reply.ok).toBe(true);
    const secret = proxy.url.replace("//", "//user:p%40s%s-canary@");
    const config = { base_url: server.base_url, proxy: `\${PROXY}` };
    expect((await askWith(config, { ...ENV, PROXY: secret })).reply.ok).toBe(true);
    const credentials = Buffer.from("user:p%40s%s-canary").toString("base64");
    const target = `POST ${server.base_url}/chat/completions`;
    expect(proxy.seen).toEqual([`${target} -`, `${target} Basic ${credentials}`]);
    expect(server.requests[1]?.headers).not.toHaveProperty("proxy-authorization");
  });

  it("tunnels https requests", async () => {
    const [proxy, server] = [await startProxy(), await serveSecurely()];
    const config = { base_url: server.base_url, ca_file: tlsFile("certificate"), proxy: proxy.url };
    expect((await askWith(config)).reply).toMatchObject({ ok: true, response: { content: "a" } });
    expect(proxy.seen).toEqual([`CONNECT ${new URL(server.base_url).host} -`]);
  });

  it("that refuses or is not there is a connection failure", async () => {
    const [proxy, server] = [await startProxy(true), await serveSecurely()];
    const refused = await askWith({ base_url: server.base_url, proxy: proxy.url });
    const { host } = new URL(server.base_url);
    expect(refused.reply).toMatchObject({
      failure: { class: "connection", message: `the proxy answered 407 to CONNECT ${host}` },
    });
    const gone = await askWith({ base_url: server.base_url, proxy: "http://127.0.0.1:9" });
    expect(gone.reply).toMatchObject({ failure: { class: "connection" } });
  });

  it.each([["not a URL"], ["https://127.0.0.1:1"]])("must be an http URL, not %s", async (PROXY) => {
    const config = modelConfig({ proxy: `\${PROXY}` });
    expect(await usageLines(() => checkModel(config, { ...ENV, PROXY }))).toEqual([
      "model.proxy: must be an http:// URL",
    ]);
  });
});

describe("a CA file", () => {
  it("that is missing or holds no certificate is an error before anything runs", async () => {
    const file = `${folderWith({ "ca.pem": "nothing" })}/ca.pem`;
    const lines = (ca_file: string) => usageLines(() => checkModel(modelConfig({ ca_file }), ENV));
    expect(await lines(file)).toEqual([`model.ca_file: ${file}: holds no certificate in PEM form`]);
    expect(await lines(`${file}.gone`)).toEqual([expect.stringMatching(/ca\.pem\.gone: ENOENT/)]);
  });
});
