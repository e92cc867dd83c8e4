import type { FanOutMend, FanOutWords, FindingWords, Wording } from "./wording.js";

const MENDS: Readonly<Record<FanOutMend, string>> = {
  "aggregate-first": "请先聚合再关联，或让每行只关联到一行",
  exists: "请对不重复的行计数，或用 EXISTS 代替关联",
  "by-key": "请按键关联这些表",
  distinct: "请对不重复的行计数",
  "distinct-or-exists": "请使用 DISTINCT，或用 EXISTS 代替关联",
};

const EMPTY_PARTS = {
  join: "提交的 SQL 中，无论如何筛选，关联之后都没有剩下任何行",
  filter: "提交的 SQL 中有一个筛选条件单独使用就不剩任何行",
  group: "一个分组条件单独使用就不剩任何分组",
  count: "提交的 SQL 用来计数的一个条件没有任何行满足",
} as const;

const VERBS = { takes: "计入了", counts: "计数了", shows: "列出了" } as const;

function fanOut({ what, verb, rows, mend }: FanOutWords): string {
  const times = rows.map(({ table, joined, distinct }) => `${table} 的 ${distinct} 行共 ${joined} 次`).join("，");
  return `提交的 SQL 的关联使行重复：${what ?? "答案"} ${VERBS[verb]} ${times}。除非有意如此，${MENDS[mend]}。`;
}

const findings: FindingWords = {
  unseenTable: (table) =>
    `提交的 SQL 读取了表 ${table}，但没有任何调用查看过它，读过的文档也没有描述它：使用之前请先查看（get_table_profile 或一次查询）。`,
  unseenColumns: (columns) =>
    `提交的 SQL 读取了 ${columns.join("、")}，但没有任何调用查看过，读过的文档也没有描述：使用之前请先查看其内容（get_field_profile 或一次查询）。`,
  unseenValue: (column, condition, nearest) => {
    const like = nearest.length === 0 ? "" : `；最相近的值是 ${quoted(nearest)}`;
    return `${column} 中没有任何值满足 ${condition}${like}。筛选之前请先查看值的真实写法（get_column_distinct_values）。`;
  },
  unprovenJoin: (pair) =>
    `提交的 SQL 关联了 ${pair}：目录中没有这一关联，也没有文档或先前的查询证明两侧是同一事物。请用一次查询证明，例如一侧的值有多少能在另一侧找到。`,
  fanOut,
  previewRows: (rows, step) =>
    `候选答案的 ${rows} 行正是第 ${step} 步从更长的结果中展示的那些行：请提交不带限制的查询；展示会被截断，提交不会。`,
  previewCells: (example) => `候选答案的单元格以截断标记结尾，例如 ${JSON.stringify(example)}：请提交完整的文本。`,
  unaskedLimit: (rows) =>
    `提交的 SQL 带有 LIMIT ${rows ?? "…"}，而问题既没有要求行数，也没有要求最高、最低、第一或最后的一个：请去掉 LIMIT，或说明问题中哪些字要求它。`,
  fails: (message) => differs(`执行失败：${message}`),
  otherValues: (rows, candidateRows) => differs(`得到 ${rows} 行，其值与候选答案的 ${candidateRows} 行不同`),
  arbitraryOrder: (by) =>
    `答案取决于表中各行的存储顺序（由 ${by} 引起）：请在 SQL 中写明要哪一行，或保留所有并列的行。`,
  emptyStage: (part, text, why) =>
    `${EMPTY_PARTS[part]}：${text}${why === "" ? "" : `（${why}）`}。请查看这些值；如果确实没有，请说明。`,
  nullEquals: "没有任何值等于 NULL：应写 IS NULL",
  turnedRound: "下界大于上界",
  columnHas: (value) => `该列中的写法是 ${JSON.stringify(value)}`,
  guessed: (values) => `问题和文档都没有提到 ${values.join("、")}`,
  tableWithoutRows: (table) => `提交的 SQL 读取了表 ${table}，而它没有任何行。`,
  everyLook: (table, how) =>
    `提交的 SQL 读取了表 ${table}，而对它的每次查看都${how === "failed" ? "失败了" : "被截断或失败了"}：请用结果能完整展示的调用查看它（get_table_profile，或行数更少的查询）。`,
  noRoom: (table) => `证据中已容不下对表 ${table} 的查看，而提交的 SQL 读取了它：请再查看一次。`,
  extractedInPart: (table, path, lines) =>
    `提交的 SQL 读取的表 ${table} 只从 ${path} 中提取了一部分，第 ${lines} 行没有读到：请提取缺少的部分，或阅读它（read_doc）并提交不需要它的结果。`,
  everyReading: (path) =>
    `答案依据 ${path}，而对它的每次阅读都失败或被截断了：请读到结尾（start_line），或读相关的小节（heading）。`,
  documentIgnored: (path, words) =>
    `knowledge.md 指明 ${path} 是 ${words.join("、")} 的来源，但它从未被读过：采用其他含义之前请先阅读它（read_doc）。`,
  similarColumns: (table, pairs) =>
    `提交的 SQL 使用了 ${table} 的 ${pairs.map(([column, others]) => `${column}（旁边还有 ${others.join("、")}）`).join("；")}。`,
  imageWithoutReceipt: (path) =>
    `读取了图片 ${JSON.stringify(path)}，但没有回执说明看到了什么：请查看它并用 record_visual_evidence 记录。`,
  emptyTable: (columns) => `该表有 ${columns} 列，没有任何行。`,
  percentSign: (column, cells) =>
    `列 ${JSON.stringify(column)} 有 ${cells} 个单元格带有 % 号：请提交普通数字，12.5% 写成 12.5。`,
  looseDate: (column, cells, example) =>
    `列 ${JSON.stringify(column)} 有 ${cells} 个日期没有写成 YYYY-MM-DD，例如 ${JSON.stringify(example)}。`,
  duplicateColumn: (column, other) =>
    `列 ${JSON.stringify(column)} 与列 ${JSON.stringify(other)} 的单元格相同：请只提交其中一列。`,
  constantColumn: (column, value, rows) =>
    `列 ${JSON.stringify(column)} 的 ${rows} 行中${value === undefined ? "没有任何值" : `都是 ${JSON.stringify(value)}`}：除非问题要求，请去掉它。`,
  retypedTable: (cells) => `提交的 SQL 没有读取任何表：它的 ${cells} 个单元格是手工录入的。请提交计算出它们的查询。`,
  claim: ({ check, entity, isDenied, nearest, sentence, detail }) => {
    const outside = `“${entity}”不在数据的值域之内${isDenied ? "，不过文中说明它没有记录" : ""}`;
    const what = entity === null ? `有一项没有核对：${detail}` : outside;
    const like = nearest.length > 0 ? `；最相近的是 ${nearest.join("、")}` : "";
    return `${what}${like}（${check}）${sentence === null ? "" : `：${sentence}`}`;
  },
  notVerified: (assumption) => `尚未证实：${assumption}`,
};

function differs(how: string): string {
  return `提交的 SQL 单独重新执行时得不到候选答案：${how}。请提交每次结果都相同的来源。`;
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join("、");

const feedback: Wording["feedback"] = {
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

export const CHINESE: Wording = { findings, feedback };
