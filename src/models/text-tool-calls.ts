import type { ToolCall, ToolSchema } from "../core/message.js";

export interface SpokenCalls {
  readonly calls: readonly ToolCall[];
  /** The content without the calls that were recovered from it. */
  readonly content: string;
}

/**
 * `<tool_call>…</tool_call>` or a bare `<function=…>…</function>`. A closing tag may be missing where the next block or
 * the text's end comes, so that a mere mention of the tag swallows no call after it.
 */
const BLOCK =
  /<tool_call>([\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)|(<function=[\s\S]*?)(?:<\/function>|(?=<function=)|$)/g;
const FUNCTION = /<function=([^>\s]+)\s*>([\s\S]*?)(?:<\/function>|$)/;
const PARAMETER = /<parameter=([^>\s]+)\s*>([\s\S]*?)(?:<\/parameter>|(?=<parameter=)|$)/g;

/**
 * Recovers tool calls that a model wrote as text because its server did not parse them: as JSON
 * (`<tool_call>{"name": …, "arguments": {…}}</tool_call>`) or as tags (`<function=name><parameter=key>value`). The content
 * is looked at first, then the reasoning. Only calls of tools that were offered are taken; all other text stays as it is.
 */
export function recoverToolCalls(content: string, reasoning: string | null, tools: readonly ToolSchema[]): SpokenCalls {
  const inContent = callsIn(content, tools);
  if (inContent.calls.length > 0) return { calls: inContent.calls, content: inContent.rest.trim() };
  return { calls: callsIn(reasoning ?? "", tools).calls, content };
}

function callsIn(text: string, tools: readonly ToolSchema[]): { readonly calls: ToolCall[]; readonly rest: string } {
  const calls: ToolCall[] = [];
  if (!text.includes("<tool_call>") && !text.includes("<function=")) return { calls, rest: text };
  const rest = text.replaceAll(BLOCK, (block: string, wrapped: string | undefined, bare: string | undefined) => {
    const call = readCall(wrapped ?? bare ?? "", tools);
    if (call === null) return block;
    calls.push(call);
    return "";
  });
  return { calls, rest };
}

function readCall(text: string, tools: readonly ToolSchema[]): ToolCall | null {
  const tagged = FUNCTION.exec(text);
  const written = tagged === null ? readJsonCall(text) : { name: tagged[1] ?? "", body: tagged[2] ?? "" };
  const tool = tools.find(({ name }) => name === written?.name);
  if (written === null || tool === undefined) return null;
  const args = "args" in written ? written.args : JSON.stringify(readParameters(written.body, tool));
  return { id: "", name: tool.name, arguments: args };
}

function readJsonCall(text: string): { readonly name: string; readonly args: string } | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (parsed === null || typeof parsed !== "object") return null;
  const members = new Map<string, unknown>(Object.entries(parsed));
  const name = members.get("name");
  const args = members.get("arguments") ?? members.get("parameters") ?? {};
  if (typeof name !== "string") return null;
  return { name, args: typeof args === "string" ? args : JSON.stringify(args) };
}

/** A parameter that the tool takes as text is the text between the tags; any other is read as JSON where it is JSON. */
function readParameters(body: string, tool: ToolSchema): Record<string, unknown> {
  const parameters = [...body.matchAll(PARAMETER)].map(([, key = "", value = ""]): [string, unknown] => {
    const text = value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
    return [key, takesText(tool, key) ? text : jsonOrText(text)];
  });
  return Object.fromEntries(parameters);
}

function takesText(tool: ToolSchema, key: string): boolean {
  const properties = tool.parameters.properties;
  const property = isObject(properties) ? properties[key] : undefined;
  return isObject(property) && property.type === "string";
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object";
}
