import type { Chooser } from "../choice.js";
import type { Term } from "../documents/glossary.js";
import type { Question } from "../reading/question.js";
import type { Schema, SchemaColumn } from "../schema/schema.js";
import { plainEnglish, tokenize } from "../words/tokens.js";
import { linkColumns } from "./column-links.js";
import { selectMentions } from "./mentions.js";
import { linkTableNames } from "./table-links.js";
import { linkCodes, linkTerms } from "./term-links.js";
import { type CodeMeaning, linkValues, type StoredValue } from "./value-links.js";

/** All that is known when a question is read. */
export interface Knowledge {
  readonly schema: Schema;
  readonly stored: readonly StoredValue[];
  readonly codes: readonly CodeMeaning[];
  readonly terms: readonly Term[];
  readonly domain: (column: SchemaColumn) => readonly string[];
}

/** Links the words of an English question to all that they may name. */
export function linkQuestion(text: string, knowledge: Knowledge, chooser: Chooser): Question {
  const tokens = tokenize(plainEnglish(text));
  const { schema } = knowledge;
  const mentions = selectMentions(tokens, {
    columns: linkColumns(tokens, schema),
    tables: linkTableNames(tokens, schema),
    values: [...linkValues(tokens, knowledge.stored), ...linkCodes(tokens, knowledge.codes, schema)],
    terms: linkTerms(tokens, knowledge.terms),
  });
  return {
    tokens,
    mentions,
    schema,
    chooser,
    domain: knowledge.domain,
    readPart: (part) =>
      linkQuestion(part, { ...knowledge, terms: knowledge.terms.filter((term) => term.text !== part) }, chooser),
  };
}
