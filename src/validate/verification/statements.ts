import { splitSentences } from "../../answer/claims/sentences.js";
import { citedIds, leadingCitations, withoutCitations } from "./citations.js";

/** Something that an output says with evidence. */
export interface Statement {
  /** Without its citations. */
  readonly text: string;
  readonly ids: readonly string[];
}

const ITEM = /^\s*(?:[-*+•·]\s+|[(（]?\d{1,3}[.)）、．]\s*(?!\d)|\|)/u;
/** The bullet or number of an item or a heading: a mark, not a claim. */
const BULLET = /^\s*(?:#{1,6}\s+)?(?:[-*+•·]\s+|[(（]?\d{1,3}[.)）、．]\s*(?!\d))?/u;
const LEADS = /[:：][\s*_]*$/;

/**
 * The statements of an output that cite evidence. A citation after the full stop belongs to the sentence before it; clauses that a semicolon
 * parts share the next citation; the items of a list without one of their own share that of the line that introduces it.
 */
export function citedStatements(output: string): readonly Statement[] {
  const statements: Statement[] = [];
  let lead: readonly string[] = [];
  for (const line of output.split(/\r\n|[\n\r]/)) {
    if (line.trim() === "") continue;
    const isItem = ITEM.test(line);
    if (!isItem) lead = LEADS.test(withoutCitations(line)) ? citedIds(line) : [];
    const own = statementsOf(line.replace(BULLET, ""));
    const cited = own.filter(({ ids }) => ids.length > 0);
    if (cited.length === 0 && isItem && lead.length > 0) statements.push({ text: line.replace(BULLET, ""), ids: lead });
    else statements.push(...cited);
  }
  return statements;
}

/** One a sentence, those without a citation too. */
function statementsOf(line: string): Statement[] {
  const statements: Statement[] = [];
  let clauses = "";
  for (const sentence of splitSentences(line)) {
    const { citations, rest } = leadingCitations(sentence);
    const before = statements.at(-1);
    const belongsBefore = citations !== "" && before?.ids.length === 0;
    if (belongsBefore) statements.splice(-1, 1, { text: before.text, ids: citedIds(citations) });
    const said = belongsBefore ? rest : sentence;
    const text = withoutCitations(said);
    const ids = citedIds(said);
    if (ids.length === 0 && /[;；]\s*$/.test(said)) clauses += text;
    else if (/[\p{L}\p{N}]/u.test(text) || ids.length > 0) {
      statements.push({ text: clauses + text, ids });
      clauses = "";
    }
  }
  return clauses === "" ? statements : [...statements, { text: clauses, ids: [] }];
}
