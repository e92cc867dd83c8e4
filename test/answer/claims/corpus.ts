import type { ClaimCheck } from "../../../src/core/claim-check.js";

/** A conclusion with the findings that a person would make of it. */
interface Case {
  readonly text: string;
  /** `level entity`; `warn` alone is the warning that no sentence makes a claim. */
  readonly expect: readonly string[];
  /** What is hard about it; plain cases have none. */
  readonly adversarial?: string;
  readonly options?: Partial<ClaimCheck>;
}

export interface Corpus {
  readonly language: "zh" | "en";
  readonly check: ClaimCheck;
  readonly domain: readonly string[];
  readonly cases: readonly Case[];
}

/*
 * Written by hand. Expectations are what a reader would say, not what the code did. Names are invented.
 */

const chinese: Corpus = {
  language: "zh",
  check: {
    name: "好差榜单团队在台账内",
    domain_sql: "SELECT DISTINCT team FROM ledger",
    anchors: ["用得最好", "用得最差", "用得好", "用得差", "排名第一", "倒数第一"],
    extract: "suffix",
    entity_suffixes: [],
    generic_terms: [],
    zero_use_terms: [],
    column: null,
  },
  domain: [
    "苏州二部",
    "苏州三部直辖",
    "大连战区",
    "武汉战区",
    "华东一部",
    "华东一部二组",
    "和平战区",
    "北京事业部",
    "南山OB",
    "第一军团",
    "郑州系",
  ],
  cases: [
    { text: "用得最好的是苏州二部，用得最差的是武汉咨询部。", expect: ["red 武汉咨询部"] },
    { text: "用得最好的是苏州二部，用得最差的是大连战区。", expect: [] },
    { text: "用得最好：大连战区。用得最差：成都事业部。", expect: ["red 成都事业部"] },
    { text: "排名第一的团队为青岛战队，倒数第一为西安军团。", expect: ["red 青岛战队", "red 西安军团"] },
    { text: "本月用得好的有苏州二部、大连战区、厦门咨询中心。", expect: ["red 厦门咨询中心"] },
    { text: "用得最好的是苏州二部。武汉咨询部也开了 12 单。", expect: [] },
    { text: "武汉咨询部的业绩下滑明显。", expect: ["warn"] },
    { text: "", expect: ["warn"] },
    { text: "  \n ", expect: ["warn"] },
    { text: "用得最差的是武汉咨询部，武汉咨询部没用这个工具。", expect: ["warn 武汉咨询部"] },
    { text: "用得差的团队里，合肥三部零定金。", expect: ["warn 合肥三部"] },
    { text: "用得最差的是长沙一组，本月 0 笔。", expect: ["warn 长沙一组"] },
    { text: "用得最差的是从未开单的贵阳战区。", expect: ["warn 贵阳战区"] },
    { text: "用得最好的是苏州三部。", expect: [] },
    { text: "用得最好的是苏州三部直辖。", expect: [] },
    { text: "用得最好的是华东大区苏州二部。", expect: [] },
    { text: "用得最好的团队是南山OB，用得最差的是北山OB。", expect: ["red 北山OB"] },
    { text: "用得最好的是第一军团，其次是第二军团。", expect: ["red 第二军团"] },
    {
      text: "结论如下：\n\n1. 用得最好：苏州二部（35 笔）\n2. 用得最差：宁波五区（1 笔）\n\n来源：ledger",
      expect: ["red 宁波五区"],
    },
    {
      text: "用得最好的三个团队：\n- 苏州二部\n- 大连战区\n- 武汉咨询部\n\n其余战区从略。",
      expect: ["red 武汉咨询部"],
    },
    {
      text: "## 用得最差的团队\n\n| 团队 | 笔数 |\n| --- | --- |\n| 苏州二部 | 3 |\n| 无锡七部 | 1 |\n",
      expect: ["red 无锡七部"],
    },
    { text: "用得最好的是**苏州二部**，用得最差的是**武汉咨询部**。", expect: ["red 武汉咨询部"] },
    { text: "用得最好的是苏州二部；武汉咨询部另有说明。", expect: [] },
    { text: "用得最好的是「苏州二部」，用得最差的是「天津直辖」！", expect: ["red 天津直辖"] },
    { text: "用得最好的是ＯＢ口径下的南山ＯＢ。", expect: [] },
    { text: "从整体来看，用得最好的应该是苏州二部，用得最差的可能是武汉咨询部。", expect: ["red 武汉咨询部"] },
    { text: "用得最好的Top3：苏州二部(35笔)、大连战区(20笔)、鞍山战区(18笔)", expect: ["red 鞍山战区"] },
    { text: "排名第一：苏州二部 > 大连战区 > 鞍山战区", expect: ["red 鞍山战区"] },
    { text: "用得最好的是苏州二部/鞍山战区。", expect: ["red 鞍山战区"] },
    { text: "用得最好的战区有两个：苏州二部和大连战区。最差另说。", expect: [] },
    { text: "数据显示鞍山战区用得最差，可见锦州战区也用得差。", expect: ["red 鞍山战区", "red 锦州战区"] },
    { text: "倒数第一是电商一部、电商二部、电商三部。", expect: ["red 电商一部", "red 电商二部", "red 电商三部"] },
    {
      text: "用得最好的前三个战区分别是大连战区、武汉战区、和平战区。",
      expect: [],
      adversarial: "an ordinal and a count",
    },
    {
      text: "用得差的主要集中在鞍山战区和锦州战区两个战区。",
      expect: ["red 鞍山战区", "red 锦州战区"],
      adversarial: "a count after the names",
    },
    { text: "用得最好的组织是苏州二部，详见三部曲。", expect: [], adversarial: "组织 and 三部曲" },
    { text: "用得最好的战队员工都满意。", expect: [], adversarial: "战队 before 员工" },
    { text: "用得最差的苏州二部在培训咨询部分也落后。", expect: [], adversarial: "咨询部分 is no 咨询部" },
    { text: "用得最差的三个部门及苏州十三部门均已说明。", expect: [], adversarial: "十三部门 is a count" },
    {
      text: "用得最好的是华北战区苏州二部。",
      expect: [],
      adversarial: "an unknown level before a legal one says where that belongs",
    },
    {
      text: "用得最好的有 1. 苏州二部 2. 武汉咨询部",
      expect: ["red 武汉咨询部"],
      adversarial: "numbers inside a line",
    },
    // Particles and conjunctions.
    {
      text: "用得最好的是双优的苏州二部、郑州系和武汉咨询部。",
      expect: ["red 武汉咨询部"],
      adversarial: "prose before a name",
    },
    { text: "用得最好的是苏州二部和二部。", expect: [], adversarial: "a conjunction before an ending" },
    { text: "用得最好的是武汉的战区。", expect: [], adversarial: "a particle inside a span" },
    { text: "用得最好的是和平战区。", expect: [], adversarial: "a name that begins with a conjunction" },
    {
      text: "用得最好的是苏州二部与来自昆明的玉溪战队。",
      expect: ["red 玉溪战队"],
      adversarial: "several particles in a row",
    },
    {
      text: "用得最好的不是武汉咨询部，而是苏州二部。",
      expect: ["red 武汉咨询部"],
      adversarial: "negation: the name is still none of the ledger",
    },
    { text: "用得最差的并不是大连战区而是南通一部。", expect: ["red 南通一部"], adversarial: "negation" },
    {
      text: "用得最好的是苏州二部，而非徐州三部。",
      expect: ["red 徐州三部"],
      adversarial: "negation by a word that is no separator",
    },
    // Words that only look like endings.
    {
      text: "用得最好的苏州二部贡献了其中一部分组织效能。",
      expect: [],
      adversarial: "一部分 and 组织 are no departments",
    },
    { text: "用得最好的团队按战区分组后在前三区间。", expect: [], adversarial: "分组 and 区间" },
    { text: "用得最好的是苏州二部的组长，不是组员。", expect: [], adversarial: "组长 and 组员" },
    { text: "用得最好的城市是重庆直辖市。", expect: [], adversarial: "直辖市" },
    { text: "用得最好的战区共有三个战区，各战区见附表。", expect: [], adversarial: "a count of regions" },
    { text: "用得最好的是其他事业部，这两个事业部除外。", expect: [], adversarial: "pointers instead of names" },
    { text: "用得最好的战区是大连战区，全国战区合计 300 笔。", expect: [], adversarial: "generic words" },
    // Numbers with units.
    { text: "用得最好的苏州二部当月售出手机共120部。", expect: [], adversarial: "a count of phones" },
    { text: "用得最差的是武汉咨询部，只有 10 笔。", expect: ["red 武汉咨询部"], adversarial: "10 笔 is not 0 笔" },
    { text: "用得最差的是武汉咨询部，金额 2.0 万。", expect: ["red 武汉咨询部"], adversarial: "a decimal point" },
    { text: "用得最好的是苏州 2 部，占 35.5%.", expect: ["red 苏州2部"], adversarial: "digits set off by spaces" },
    { text: "用得最差的是①苏州二部②泉州九部。", expect: ["red 泉州九部"], adversarial: "circled numbers" },
    { text: "用得最好的 3 个组里，苏州二部占了 2 个组。", expect: [], adversarial: "numbers before an ending" },
    // Nested endings and names that contain each other.
    { text: "用得最好的是华东一部二组。", expect: [], adversarial: "two endings in one name" },
    { text: "用得最好的是华东一部九组。", expect: [], adversarial: "a full name whose short one is legal" },
    {
      text: "用得最差的是武汉咨询部三组。",
      expect: ["red 武汉咨询部三组"],
      adversarial: "nested endings outside the domain",
    },
    {
      text: "用得最好的苏州二部比武汉咨询部高出一倍。",
      expect: ["red 武汉咨询部"],
      adversarial: "two names in one run of text",
    },
    {
      text: "用得最好的是大连战区丹东咨询部。",
      expect: ["red 丹东咨询部"],
      adversarial: "a legal level before an illegal one",
    },
    {
      text: "用得最好的是华东一部，用得最差的是华东二部。",
      expect: ["red 华东二部"],
      adversarial: "one character apart",
    },
    // Quotes and marks.
    { text: "用得最好的是“苏州二部”和'武汉咨询部'。", expect: ["red 武汉咨询部"], adversarial: "mixed quotes" },
    {
      text: "用得最好的是“苏州二部”，所谓“标杆”并不存在。",
      expect: [],
      adversarial: "a quoted word that is short",
      options: { extract: "quoted" },
    },
    {
      text: "用得最好的是“苏州二部”，用得最差的是**武汉咨询部**，占 **35.5%**。",
      expect: ["red 武汉咨询部"],
      adversarial: "a bold number",
      options: { extract: "quoted" },
    },
    {
      text: "用得最好的团队：\n1. 苏州二部：35 笔\n2. 郑州系：20 笔\n3. 洛阳系：18 笔",
      expect: ["red 洛阳系"],
      options: { extract: "quoted" },
    },
    {
      text: "**用得最好的是南宁系**，其次「苏州二部、大连战区」。",
      expect: ["red 南宁系"],
      adversarial: "a bold clause and a quoted list",
      options: { extract: "quoted" },
    },
    { text: "用得最好的是郑州系，用得最差的是邓州系。", expect: ["red 邓州系"], options: { extract: "domain" } },
    {
      text: "用得最好的是苏州二部以及苏州六部，与系统无关。",
      expect: ["red 苏州六部"],
      adversarial: "near spans beside written ones",
      options: { extract: "domain" },
    },
    // Zero use.
    {
      text: "用得最好的是兰州战区，共 120 笔，与此无关的长尾团队还有很多，其中一些从未使用。",
      expect: ["red 兰州战区"],
      adversarial: "a zero-use word that is too far away",
    },
    {
      text: "用得最差的是拉萨战区，本期空白。",
      expect: ["warn 拉萨战区"],
      options: { zero_use_terms: ["空白"] },
    },
    {
      text: "用得最好的是华为终端咨询部。",
      expect: ["red 华为终端咨询部"],
      adversarial: "为 inside a name",
    },
  ],
};

const english: Corpus = {
  language: "en",
  check: {
    name: "ranked units are in the ledger",
    domain_sql: "SELECT DISTINCT unit FROM ledger",
    anchors: ["best", "worst"],
    extract: "suffix",
    entity_suffixes: ["Team", "Region", "Dept", "Desk"],
    generic_terms: [],
    zero_use_terms: [],
    column: null,
  },
  domain: [
    "Suzhou Team",
    "North Region",
    "North West Region",
    "Harbor Sales Team",
    "IT Dept",
    "R&D Dept",
    "Bank of Lima Desk",
    "O'Hara Team",
    "Unit 1",
    "Unit 12",
  ],
  cases: [
    { text: "The best user is Suzhou Team, and the worst is Wuhan Team.", expect: ["red Wuhan Team"] },
    { text: "The best user is Suzhou Team, and the worst is North Region.", expect: [] },
    { text: "Best: Harbor Sales Team. Worst: Delta Dept.", expect: ["red Delta Dept"] },
    { text: "The best was Suzhou Team. Wuhan Team made 12 deals.", expect: [] },
    { text: "Wuhan Team fell behind.", expect: ["warn"] },
    { text: "The worst is Wuhan Team, which did not use the tool.", expect: ["warn Wuhan Team"] },
    { text: "Among the worst, Kano Region has never opened it.", expect: ["warn Kano Region"] },
    { text: "Harbor Team and Harbor Sales were best.", expect: ["red Harbor Team"] },
    { text: "The best is the Sales Team.", expect: [] },
    { text: "The best is North Region Harbor Sales Team.", expect: [] },
    {
      text: "The best teams:\n\n1. Suzhou Team (35)\n2. Accra Team (20)\n\nOther teams follow.",
      expect: ["red Accra Team"],
    },
    { text: "We think Beta Team used it best!", expect: ["red Beta Team"] },
    { text: "The best is **Suzhou Team**; Wuhan Team is not ranked.", expect: [] },
    { text: "According to the ledger, Wuhan Team performed worst.", expect: ["red Wuhan Team"] },
    { text: "Meanwhile Wuhan Team performed worst.", expect: ["red Wuhan Team"] },
    { text: "Worst: Wuhan Team (no orders at all).", expect: ["warn Wuhan Team"] },
    { text: "Suzhou Team's rival Wuhan Team is worst.", expect: ["red Wuhan Team"], adversarial: "a possessive" },
    {
      text: "The worst is N.W. Region, ahead of nobody.",
      expect: ["red N.W. Region"],
      adversarial: "dots inside a name",
    },
    // Adversarial.
    { text: "The best team is Suzhou Team, all teams did well.", expect: [], adversarial: "the common noun" },
    { text: "The worst is Art Team.", expect: ["red Art Team"], adversarial: "a part of no word" },
    {
      text: "The best is 'Suzhou Team' and the worst is \"Wuhan Team\".",
      expect: ["red Wuhan Team"],
      adversarial: "quotes",
    },
    {
      text: "The best is O'Hara Team, the worst is O'Neill Team.",
      expect: ["red O'Neill Team"],
      adversarial: "apostrophes",
    },
    { text: "The best is IT Dept, the worst is HR Dept.", expect: ["red HR Dept"], adversarial: "IT is not it" },
    { text: "The best is R&D Dept, the worst is Q&A Dept.", expect: ["red Q&A Dept"], adversarial: "an ampersand" },
    { text: "The best is Bank of Lima Desk.", expect: [], adversarial: "a conjunction inside a name" },
    { text: "Not Wuhan Team but Suzhou Team is the best.", expect: ["red Wuhan Team"], adversarial: "negation" },
    {
      text: "The best is North West Region, the worst is North East Region.",
      expect: ["red North East Region"],
      adversarial: "names that contain each other",
    },
    {
      text: "The worst is Wuhan Team with 10 orders, 3.5% of all.",
      expect: ["red Wuhan Team"],
      adversarial: "10 orders is not 0 orders",
    },
    { text: "The worst is Wuhan Team with 0 orders.", expect: ["warn Wuhan Team"] },
    {
      text: "Best vs. worst: Suzhou Team vs. Wuhan Team.",
      expect: ["red Wuhan Team"],
      adversarial: "abbreviations that end no sentence",
    },
    {
      text: "The best is `Unit 1`, the worst is `Unit 2`.",
      expect: ["red Unit 2"],
      adversarial: "numbered names",
      options: { extract: "quoted" },
    },
    {
      text: "The best is Unit 12, the worst is Unit 13.",
      expect: ["red Unit 13"],
      adversarial: "numbered names near each other",
      options: { extract: "domain" },
    },
    {
      text: "The best is Suzhou Team, while Suzhu Team was worst.",
      expect: ["red Suzhu Team"],
      options: { extract: "domain" },
    },
    {
      text: "Best and worst: 1. Suzhou Team 2. Wuhan Team",
      expect: ["red Wuhan Team"],
      adversarial: "numbers inside a line",
    },
    {
      text: "| best | worst |\n| --- | --- |\n| Suzhou Team | Lagos Region |",
      expect: ["red Lagos Region"],
      adversarial: "a table whose header makes the claim",
    },
    { text: "The best is Team 3 of the first Region.", expect: [], adversarial: "an ending without a name" },
  ],
};

export const CORPORA: readonly Corpus[] = [chinese, english];
