import type { ModelRequest } from "../../core/message.js";
import { auditWords } from "./audit-words.js";
import { inside, objectsOf, partOf, textInside } from "./request-parts.js";

/** A required action as the embedded baseline reads it: a tool and the JSON of its arguments. */
function action(tool: string, args: object): string {
  return `${tool} ${JSON.stringify(args)}`;
}

interface Gap {
  readonly issue: string;
  readonly action: string;
}

/**
 * The process validator's role without a language model: rules over the same request text. It asks for three things: that every
 * document which the knowledge names was read, that the submitted SQL was looked at before it was handed in, and that nothing red
 * stands against it. It does not judge meanings; it is there so that the whole loop runs without a key.
 */
export function auditProcess(request: ModelRequest): object {
  const gaps = [...unreadDocuments(request), ...unseenAnswer(request), ...redFindings(request)];
  const claims = objectsOf(request, "evidence_items").flatMap((item) => textInside(item, "id") ?? []);
  return {
    valid: gaps.length === 0,
    issues: gaps.map(({ issue }) => issue),
    required_next_actions: gaps.map((gap) => gap.action),
    semantic_ledger: {
      intent_summary: partOf(request, "question"),
      verified_claims: claims.map((id) => `observed in ${id}`),
      unverified_assumptions: gaps.map(({ issue }) => issue),
      unresolved_ambiguities: [],
      drift_risks: objectsOf(request, "mechanical_findings").flatMap((finding) => textInside(finding, "detail") ?? []),
    },
  };
}

const DOCUMENT_PATH = /[\p{L}\p{N}_][\p{L}\p{N}_./-]*\.(?:md|txt|pdf)\b/giu;

function unreadDocuments(request: ModelRequest): Gap[] {
  const named = new Set(partOf(request, "knowledge").match(DOCUMENT_PATH) ?? []);
  const read = objectsOf(request, "evidence_items").flatMap((item) => textInside(item, "source", "path") ?? []);
  // What was read in part proves nothing, but asking for it again brings the same part.
  const cut = objectsOf(request, "omitted_or_unusable").flatMap((entry) =>
    textInside(entry, "reason") === "truncated_result" ? (textInside(entry, "source") ?? []) : [],
  );
  const seen = [...read, ...cut];
  const listed = listedDocuments(request);
  return [...named]
    .filter((path) => !/(?:^|\/)knowledge\.md$/i.test(path) && !seen.some((other) => sameDocument(path, other)))
    .filter((path) => listed === null || listed.some((other) => sameDocument(path, other)))
    .map((path) => ({
      issue: auditWords(request).unread(path),
      action: action("read_doc", { path }),
    }));
}

/** Documents that the context has, where the agent listed them: knowledge may name one that is not there. */
function listedDocuments(request: ModelRequest): string[] | null {
  const lists = objectsOf(request, "evidence_items")
    .filter((item) => textInside(item, "tool") === "list_context")
    .map((item) => inside(item, "observation", "evidence_excerpt", "documents"))
    .filter((list) => Array.isArray(list));
  return lists.length === 0 ? null : lists.flat().flatMap((entry) => textInside(entry, "path") ?? []);
}

function sameDocument(named: string, read: string): boolean {
  return read === named || read.endsWith(`/${named}`) || named.endsWith(`/${read}`);
}

function unseenAnswer(request: ModelRequest): Gap[] {
  const [candidate] = objectsOf(request, "candidate");
  const sql = queriesOf(inside(candidate, "source", "args")).at(-1);
  if (sql === undefined) return [];
  const probes = objectsOf(request, "evidence_items").flatMap((item) => queriesOf(inside(item, "request")));
  // More rows than a probe shows: that it ran is all that can be seen of it.
  const cut = objectsOf(request, "omitted_or_unusable").some(
    (entry) =>
      textInside(entry, "tool") === "execute_probe_query" && textInside(entry, "reason") === "truncated_result",
  );
  if (cut || probes.includes(sql)) return [];
  return [
    {
      issue: auditWords(request).neverRun,
      action: action("execute_probe_query", { queries: [sql] }),
    },
  ];
}

function queriesOf(args: unknown): string[] {
  const queries = inside(args, "queries");
  return Array.isArray(queries) ? queries.filter((sql) => typeof sql === "string") : [];
}

function redFindings(request: ModelRequest): Gap[] {
  return objectsOf(request, "mechanical_findings")
    .filter((finding) => textInside(finding, "level") === "red")
    .map((finding) => {
      const detail = textInside(finding, "detail") ?? "";
      return {
        issue: `${textInside(finding, "rule") ?? "a rule"}: ${detail}`,
        action: auditWords(request).mend(detail),
      };
    });
}
