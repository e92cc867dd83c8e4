import { createServer } from "node:http";

interface ScriptedMessage {
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[];
}

/** A chat-completions server on the loopback that answers every request alike, after `delay_ms`, and remembers nothing. */
export async function startInstantServer(
  answer: (messages: number) => ScriptedMessage,
  delay_ms: number,
): Promise<{ readonly base_url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const parsed: unknown = JSON.parse(text);
    const messages =
      parsed !== null && typeof parsed === "object" && "messages" in parsed && Array.isArray(parsed.messages)
        ? parsed.messages.length
        : 0;
    const body = completion(answer(messages));
    const send = () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    };
    if (delay_ms === 0) send();
    else setTimeout(send, delay_ms);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return {
    base_url: `http://127.0.0.1:${address.port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function completion({ content, tool_calls }: ScriptedMessage): string {
  const calls = tool_calls?.map(({ name, args }, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, ...(calls !== undefined && { tool_calls: calls }) },
        finish_reason: calls === undefined ? "stop" : "tool_calls",
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
}
