import { SPACED_WORD, UNSPACED } from "./text.js";

/*
 * Chinese names stand in prose without spaces, so what is in front of a name has to be told from it by words that names
 * seldom have. Cutting too much never makes a false red: a rest of a legal name is contained in that name.
 */

/** Conjunctions, particles and copulas of the specification, and phrases that lead to a name. A name starts after the last one. */
const PARTING_ZH = [
  ..."和与及或的是等",
  ..."不是 而是 而非 并非 来自 以及 还有 包括 例如 比如 尤其 其中 其次 依次 分别 并列".split(" "),
  ..."优于 好于 高于 低于 差于 不如 领先 落后 超越 输给 当属 要数 就数 属于 归于 排名 位居 位列 垫底 榜首".split(" "),
  ..."显示 表明 看出 看到 发现 认为 说明 可见 因此 所以 总之 综上 相比之下 相较之下".split(" "),
  ..."分布在 集中在 名叫 叫做 称为 目前 当前".split(" "),
];
const PARTING_EN = [
  "and or the of is was are were be been being has have had an not but than then by in into for with from to at on as",
  "while versus vs over under behind after before only both also namely called named like plus if when where which who",
  "however meanwhile overall finally therefore thus hence still though although because since that this these those",
  "our their its all each every other another no any some most least we it they he she you",
]
  .flatMap((line) => line.split(" "))
  // In lower case or with a capital, but not all capitals: IT Team, US Region.
  .map((word) => `[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${word.slice(1)}`);
const PARTING = new RegExp(
  `${PARTING_ZH.join("|")}|(?<!['’-]|${SPACED_WORD})(?:${PARTING_EN.join("|")})(?!['’-]|${SPACED_WORD})`,
  "gu",
);

/** Words that lead to a name but are also parts of names (华为): cut only where they stand first. */
const LEADING =
  /^(?:团队|部门|单位|机构|为|由|在|对|而|但|则|也|都|就|均|又|再|更|最|却|比|被|把|让|从|到|给|跟|同|按|有|像|如|看|即|里|[\s\-_&'’+#·.])+/u;

/** Names nothing by itself: 各战区, 这两个事业部, the first Team. But 第一事业部 is a name. */
const DETERMINER_ZH =
  /^(?!第[0-9〇一二三四五六七八九十百]+$)(?:这|那|该|此|本|各|每|某|哪|何|什么|其他|其它|其余|剩余|另外|另|别|全体|全部|整个|多|几|数|两|双|第|前|后|上述|以上|以下|同|单|小|大|个|家|支|些|类|名|位|[0-9〇一二三四五六七八九十百千])+$/u;
const DETERMINER_EN = /^(?:(?:best|worst|top|bottom|first|second|third|last|next|same|whole|\d+)\s*)+$/i;

/** Counted and not named: 共有三个战区, 分两组. */
const QUANTIFIED = /(?:[0-9〇一二三四五六七八九十百千两几多数](?:个|家|支|大|类)|分(?:为|成)?[两几多])$/u;

/** Where the name in `text` starts, `end` being where its suffix starts. */
export function nameStart(text: string, end: number): number {
  const front = text.slice(0, end);
  let start = 0;
  for (const match of front.matchAll(PARTING)) start = match.index + match[0].length;
  start = capitalisedTail(front, start);
  return start + (LEADING.exec(front.slice(start))?.[0].length ?? 0);
}

/** Whether what stands before a suffix is a name and not a pointer or a number. */
export function isName(front: string): boolean {
  const trimmed = front.trim();
  return trimmed !== "" && !QUANTIFIED.test(trimmed) && !DETERMINER_ZH.test(trimmed) && !DETERMINER_EN.test(trimmed);
}

const LAST_SPACED_WORDS = new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}\\s\\-_&'’+#·.])+$`, "u");

/**
 * In a spaced script a name's words have capitals: of `we think Beta Team` the name is `Beta Team`. Where the last word has
 * none, a name without capitals is meant and all words stay.
 */
function capitalisedTail(front: string, start: number): number {
  const words = LAST_SPACED_WORDS.exec(front.slice(start))?.[0] ?? "";
  const tail = /(?:(?:^|(?<=\s))\S*[\p{Lu}\p{N}]\S*\s*)+$/u.exec(words)?.[0] ?? "";
  return tail === "" ? start : front.length - tail.length;
}
