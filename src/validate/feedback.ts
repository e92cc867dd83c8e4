import type { TrialStarted } from "../core/event.js";
import type { Demands } from "../core/event-validation.js";

/** What the agent is told of a verdict: issues and required actions, never the ledger. */

type Language = TrialStarted["language"];

interface Words {
  readonly process: (hasCandidate: boolean) => string;
  readonly answer: string;
  readonly issues: string;
  readonly actions: string;
  readonly noReason: string;
  readonly needsEvidence: string;
  readonly formOnly: string;
  readonly claims: string;
  readonly legalNames: string;
  readonly refused: string;
  readonly uncheckable: string;
  readonly mend: string;
  readonly unreadable: (error: string) => string;
}

const ENGLISH: Words = {
  process: (hasCandidate) =>
    hasCandidate
      ? "Your answer was not accepted: the evidence behind it has gaps. It has been withdrawn."
      : "A check of your work so far found gaps in the evidence.",
  answer: "Your answer was not accepted in this form. It has been withdrawn.",
  issues: "Issues:",
  actions: "Required next actions:",
  noReason: "(none were named: check sources, field meanings and joins again)",
  needsEvidence:
    "Carry out the required actions before you submit: a submission without a new successful data or document call is refused.",
  formOnly: "Change the form only. Sources, filters and computations stay as they are.",
  claims:
    "Your conclusion claims something of names that the data do not have. It has been withdrawn, with its answer.",
  legalNames:
    "Name only what the data have, at the level that the question asks for. If the table has the same mistake, correct it too. Then submit again; this is said once.",
  refused:
    "Not submitted: no data or document call has succeeded since the last check. Carry out the required actions first.",
  uncheckable: "the validator could not check this",
  mend: "Mend this, show with a data or document call that it is mended, and submit again.",
  unreadable: (error) =>
    `Your verdict cannot be read: ${error}. Answer with one JSON object {"problem", "score", "reason"} and nothing else.`,
};

const CHINESE: Words = {
  process: (hasCandidate) =>
    hasCandidate ? "答案未被接受：支撑它的证据有缺口。该答案已被撤回。" : "对你目前工作的检查发现证据有缺口。",
  answer: "答案的形式未被接受。该答案已被撤回。",
  issues: "问题：",
  actions: "必做动作：",
  noReason: "（没有列出：请重新核对来源、字段含义和关联）",
  needsEvidence: "提交之前先完成必做动作：没有新的成功的数据或文档调用，提交会被拒绝。",
  formOnly: "只改形式。来源、筛选和计算保持不变。",
  claims: "结论中的一些名称不在数据的值域之内。该结论及其答案已被撤回。",
  legalNames:
    "只使用数据中存在的、与问题层级一致的名称。如果表格有同样的错误，也请改正，然后重新提交；此提示只出现一次。",
  refused: "未提交：上次检查之后还没有成功的数据或文档调用。请先完成必做动作。",
  uncheckable: "校验器无法检查这一点",
  mend: "改正上述问题，用一次数据或文档调用证明已经改正，然后重新提交。",
  unreadable: (error) => `你的评审结论无法读取：${error}。只用一个 JSON 对象 {"problem", "score", "reason"} 回答。`,
};

function words(language: Language): Words {
  return language === "zh" ? CHINESE : ENGLISH;
}

/** The message after a rejection of the evidence. */
export function evidenceMessage(language: Language, demands: Demands, hasCandidate: boolean): string {
  const say = words(language);
  return [say.process(hasCandidate), ...lists(say, demands), say.needsEvidence].join("\n");
}

/** The message after a rejection of the form. */
export function formMessage(language: Language, demands: Demands): string {
  const say = words(language);
  return [say.answer, ...lists(say, demands), say.formOnly].join("\n");
}

/** The message after a conclusion that names what the data do not have. */
export function claimsMessage(language: Language, issues: readonly string[]): string {
  const say = words(language);
  return [say.claims, ...lists(say, { issues, required_next_actions: [] }), say.legalNames].join("\n");
}

/** What a submission gets back while required actions are outstanding: the shape of a failed tool call, with the same lists. */
export function refusalContent(language: Language, demands: Demands): string {
  const { issues, required_next_actions } = demands;
  const error = "actions-outstanding";
  return JSON.stringify({ error, message: words(language).refused, issues, required_next_actions });
}

/** The issue of a check that the profile takes for a rejection because the validator failed. */
export function uncheckableIssue(language: Language): string {
  return words(language).uncheckable;
}

/** What is required after a rejection by code, whose findings say themselves what is wrong. */
export function mendingAction(language: Language): string {
  return words(language).mend;
}

/** What a judge is told whose reply is no verdict. */
export function unreadableVerdictMessage(language: Language, error: string): string {
  return words(language).unreadable(error);
}

function lists(say: Words, { issues, required_next_actions }: Demands): string[] {
  const numbered = (heading: string, items: readonly string[]) =>
    items.length === 0 ? [] : [heading, ...items.map((item, index) => `${index + 1}. ${item}`)];
  if (issues.length + required_next_actions.length === 0) return [say.issues, say.noReason];
  return [...numbered(say.issues, issues), ...numbered(say.actions, required_next_actions)];
}
