import { hasVisuals, type LightCatalog } from "../core/catalog.js";
import type { TrialStarted } from "../core/event.js";
import type { ContentPart, Message, ModelRequest, ToolSchema } from "../core/message.js";
import type { Discipline, ModelConfig, Profile } from "../core/profile.js";
import { imagesToShow } from "../core/shown-images.js";
import type { TrialState } from "../core/state.js";
import { disciplineText } from "./discipline.js";
import { texts } from "./prompt.js";

/** The tool that ends a trial: the only one that a forced last turn offers. */
export const SUBMIT_TOOL = "submit_tool_result";

/** Characters of catalog that the first message shows; a bigger one is cut with a note of what is left out. */
const CATALOG_CHARACTERS = 24_000;

/**
 * The agent's next request: a pure function of the events so far. The opening messages are the same in every repeat of a task and
 * the rest only grows at the end, so that a provider's prompt cache hits; images that the last turn read ride behind it, in this request only.
 */
export function agentRequest(state: TrialState, profile: Profile): ModelRequest {
  const started = state.started;
  if (started === null) throw new Error("a request before trial-started");
  return {
    purpose: "agent",
    messages: [...openingMessages(started, profile.discipline), ...conversation(state, started, profile.model)],
    tools: state.forced_at === null ? started.tools : started.tools.filter(isSubmit),
    temperature: profile.model.temperature,
    seed: started.seed,
    max_output_tokens: profile.model.max_output_tokens,
  };
}

/** What follows the opening: the turns so far, and the images that the last one read. */
export function conversation(state: TrialState, started: TrialStarted, model: ModelConfig): readonly Message[] {
  return [...withReasoning(state, model), ...imageMessages(state, started.language)];
}

/** The history with the reasoning of as many of its last turns as the profile says. */
function withReasoning({ history, reasoning }: TrialState, model: ModelConfig): readonly Message[] {
  const first = model.reasoning_history === "all" ? 0 : reasoning.length - model.reasoning_history;
  let turn = 0;
  return history.map((message) => {
    if (message.role !== "assistant") return message;
    const text = turn >= first ? (reasoning[turn] ?? null) : null;
    turn++;
    return text === null ? message : reasoned(message, text);
  });
}

/** Images come as a user message: endpoints take none in a tool's. */
function imageMessages({ trajectory }: TrialState, language: TrialStarted["language"]): readonly Message[] {
  const images = imagesToShow(trajectory);
  if (images.length === 0) return [];
  const content = images.flatMap((image): ContentPart[] => [
    { type: "text", text: texts(language).image(image.path) },
    { type: "image", image },
  ]);
  return [{ role: "user", content }];
}

/** One object a message, so that requests share it. */
const reasonedMessages = new WeakMap<Message, Message>();

function reasoned(message: Extract<Message, { role: "assistant" }>, reasoning: string): Message {
  const made = reasonedMessages.get(message) ?? { ...message, reasoning };
  reasonedMessages.set(message, made);
  return made;
}

const isSubmit = (tool: ToolSchema) => tool.name === SUBMIT_TOOL;

/** Written once a trial, so that its requests share them. */
const opened = new WeakMap<TrialStarted, Map<Discipline, readonly Message[]>>();

function openingMessages(started: TrialStarted, discipline: Discipline): readonly Message[] {
  const byDiscipline = opened.get(started) ?? new Map<Discipline, readonly Message[]>();
  const messages = byDiscipline.get(discipline) ?? writeOpening(started, discipline);
  opened.set(started, byDiscipline.set(discipline, messages));
  return messages;
}

function writeOpening(started: TrialStarted, discipline: Discipline): readonly Message[] {
  const text = texts(started.language);
  const lines = disciplineText(started.language, discipline);
  const parts = [...materialParts(started), `<question>\n${started.question}\n</question>`, text.task];
  return [
    { role: "system", content: lines === null ? text.system : `${text.system}\n\n${lines}` },
    { role: "user", content: parts.join("\n\n") },
  ];
}

/** What a trial has to work with: the light catalog, knowledge.md in full, and what is to be known of pictures and missing tools. */
export function materialParts(started: TrialStarted): readonly string[] {
  const text = texts(started.language);
  return [
    `<catalog>\n${catalogText(started.catalog)}\n</catalog>`,
    started.knowledge === null ? text.noKnowledge : `<knowledge>\n${started.knowledge}\n</knowledge>`,
    ...(hasVisuals(started.catalog) ? [text.visuals] : []),
    ...started.absent_tools.map(({ name, reason }) => text.absentTool(name, reason)),
  ];
}

/** A line a table, document or picture: SQL-quoted names with types. */
function catalogText(catalog: LightCatalog): string {
  const lines = [
    ...catalog.tables.map(
      (table) =>
        `table ${quoteName(table.name)} (${table.source}, ${table.rows} rows): ${table.columns
          .map((column) => `${quoteName(column.name)} ${column.type}`)
          .join(", ")}`,
    ),
    ...catalog.relationships.map(
      (link) =>
        `relationship (${link.kind}): ${quoteName(link.from_table)}.${quoteName(link.from_column)} -> ${quoteName(link.to_table)}.${quoteName(link.to_column)}`,
    ),
    ...catalog.documents.map((document) => `document ${document.path} (${document.characters} characters)`),
    ...catalog.media.map((media) => `media ${media.path} (${media.type})`),
    ...catalog.uncertainties.map((uncertainty) => `uncertain: ${uncertainty}`),
  ];
  return cutLines(lines, CATALOG_CHARACTERS);
}

function cutLines(lines: readonly string[], budget: number): string {
  let used = 0;
  const kept: string[] = [];
  for (const line of lines) {
    const shown = line.length > budget / 4 ? `${line.slice(0, budget / 4)} … (cut)` : line;
    used += shown.length + 1;
    if (used > budget) break;
    kept.push(shown);
  }
  const left = lines.length - kept.length;
  if (left > 0) kept.push(`… ${left} more lines: use list_context or search_semantic_catalog`);
  return kept.length === 0 ? "(empty)" : kept.join("\n");
}

function quoteName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
