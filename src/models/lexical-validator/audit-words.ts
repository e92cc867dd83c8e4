import { type Language, languageOf } from "../../core/language.js";
import type { ModelRequest } from "../../core/message.js";
import { partOf } from "./request-parts.js";

/** What the embedded baseline says as a validator. */
interface AuditWords {
  readonly unread: (path: string) => string;
  readonly neverRun: string;
  readonly mend: (detail: string) => string;
  readonly hollow: (column: string) => string;
}

const WORDS: Readonly<Record<Language, AuditWords>> = {
  en: {
    unread: (path) => `The knowledge names ${path} as a source, and no evidence shows that it was read.`,
    neverRun: "The submitted SQL was never run as a probe, so that nothing shows what it returns.",
    mend: (detail) => `mend this: ${detail}`,
    hollow: (column) => `Column ${column} has no value in any row.`,
  },
  zh: {
    unread: (path) => `知识文档指明 ${path} 是来源，但没有证据表明读过它。`,
    neverRun: "提交的 SQL 从未作为探查执行过，没有证据表明它返回什么。",
    mend: (detail) => `请改正：${detail}`,
    hollow: (column) => `列 ${column} 在所有行中都没有值。`,
  },
};

/** The words of the question's language. */
export function auditWords(request: ModelRequest): AuditWords {
  return WORDS[languageOf(partOf(request, "question"))];
}
