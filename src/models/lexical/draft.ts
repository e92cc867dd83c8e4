import { composeChinesePlan } from "./chinese/compose.js";
import { saysHow } from "./chinese/conditions.js";
import { readPhrase } from "./chinese/phrase.js";
import type { Chooser } from "./choice.js";
import { ASKING, findFact } from "./documents/facts.js";
import type { Investigation } from "./investigation.js";
import { linkQuestion } from "./linking/link-question.js";
import { composePlan } from "./reading/compose.js";
import type { Question } from "./reading/question.js";
import { isComputable } from "./reading/terms.js";
import { quoteName, quoteText } from "./sql/names.js";
import { writePlan } from "./sql/write-plan.js";
import { type AnswerField, readAnswerFormat } from "./statistics/answer-format.js";
import { statisticsDraft } from "./statistics/compose.js";
import { readInstructions } from "./statistics/instructions.js";
import { STOP_WORDS } from "./words/stop-words.js";

/** An answer that could be submitted. */
export interface Draft {
  readonly sql: string;
  readonly conclusion: string;
}

/** Reads a question with all that was found out, and writes the SQL that answers it. Pure. */
export function draftAnswer(question: string, seen: Investigation, chooser: Chooser): Draft {
  return (
    factDraft(question, seen, chooser) ??
    statisticsDraft(question, seen.knowledge, chooser) ??
    plainDraft(question, seen, chooser)
  );
}

/** A fact has to speak of this much of the question, and of so much more than the tables do. */
const LEAST_COVERAGE = 0.6;
const LEAST_LEAD = 0.2;

/** An answer that stands in a document, where the tables have little to say about the question. */
function factDraft(question: string, seen: Investigation, chooser: Chooser): Draft | null {
  const fact = findFact(
    question,
    seen.entries,
    seen.knowledge.terms,
    seen.knowledge.schema.tables.flatMap((table) => table.columns.map((column) => column.name)),
  );
  if (fact === null || fact.coverage < LEAST_COVERAGE) return null;
  const known = isChinese(question)
    ? chineseCoverage(question, seen, chooser)
    : coverageOf(linkQuestion(question, seen.knowledge, chooser));
  if (fact.coverage < known + LEAST_LEAD) return null;
  return {
    sql: `SELECT ${quoteText(fact.value)} AS answer`,
    conclusion: `A document of the context says: ${fact.stated}`,
  };
}

/** How much of what a question speaks of has a name in the tables. */
function coverageOf(question: Question): number {
  const { tokens, mentions } = question;
  const content = tokens.filter(
    (token) => token.kind !== "punctuation" && !STOP_WORDS.has(token.lower) && !ASKING.has(token.lower),
  );
  const named = content.filter((token) => {
    const mention = mentions.find(({ from, to }) => tokens.indexOf(token) >= from && tokens.indexOf(token) < to);
    return (
      mention !== undefined &&
      Math.max(
        mention.term !== null && isComputable(question, mention.term) ? 1 : 0,
        mention.columns[0]?.score ?? 0,
        mention.tables[0]?.score ?? 0,
        mention.values[0]?.score ?? 0,
      ) >= 0.7
    );
  });
  return content.length === 0 ? 1 : named.length / content.length;
}

function chineseCoverage(question: string, seen: Investigation, chooser: Chooser): number {
  const phrase = readPhrase(question, seen.knowledge, chooser);
  const known = phrase.spans.filter((span) => span.term === null || saysHow(phrase, span.term));
  const covered = known.reduce((sum, span) => sum + span.to - span.from, 0);
  return (
    covered /
    Math.max(
      1,
      question.replaceAll(/[\s\p{P}\d]|是多少|是什么|是谁|平均|总[和额]?|最[高低多少大小]|[年月日的是为]/gu, "").length,
    )
  );
}

function plainDraft(asked: string, seen: Investigation, chooser: Chooser): Draft {
  const { task, fields } = readAnswerFormat(asked);
  const question = fields.length === 0 ? asked : readInstructions(task).asks.join(" ");
  const plan = isChinese(question)
    ? composeChinesePlan(question, seen.knowledge, chooser)
    : composePlan(linkQuestion(question, seen.knowledge, chooser));
  const sql = inFormat(writePlan(plan, seen.knowledge.schema), plan.select.length, fields);
  return {
    sql,
    conclusion: `Computed from ${[...new Set(seen.knowledge.schema.tables.map((table) => table.name))].join(", ")}: ${sql}`,
  };
}

/** Whether a question is mostly written in Chinese characters. */
function isChinese(question: string): boolean {
  const han = question.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > (question.match(/\p{Script=Latin}+/gu)?.length ?? 0);
}

/** Names and rounds the columns as an answer format asks, where there is one field for each. */
function inFormat(sql: string, columns: number, fields: readonly AnswerField[]): string {
  if (fields.length !== columns || fields.length === 0) return sql;
  const names = fields.map((_, index) => `c${index + 1}`);
  const items = fields.map((field, index) => `${rounded(`c${index + 1}`, field.decimals)} AS ${quoteName(field.name)}`);
  return `SELECT ${items.join(", ")} FROM (${sql}) AS answer(${names.join(", ")})`;
}

/** Text stays as it is; a number that is kept as text is one. */
function rounded(column: string, decimals: number | null): string {
  if (decimals === null) return column;
  return `coalesce(CAST(round(TRY_CAST(CAST(${column} AS VARCHAR) AS DOUBLE), ${decimals}) AS VARCHAR), CAST(${column} AS VARCHAR))`;
}
