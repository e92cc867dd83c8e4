import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/answer/claims/check.js";
import { reconcileConclusion } from "../../../src/answer/claims/reconcile.js";
import type { ClaimCheck } from "../../../src/core/claim-check.js";
import type { DomainReply } from "../../../src/core/ports/domain-query.js";

const check = (options: Partial<ClaimCheck> = {}): ClaimCheck => ({
  name: "ranked teams ∈ ledger",
  domain_sql: "SELECT DISTINCT team FROM ledger",
  anchors: ["用得最好", "用得最差", "best", "worst"],
  extract: "suffix",
  entity_suffixes: ["Team", "Dept"],
  generic_terms: [],
  zero_use_terms: [],
  column: null,
  ...options,
});
const values = (...list: string[]): DomainReply => ({ ok: true, values: list });
const findings = (text: string, domain: DomainReply, options: Partial<ClaimCheck> = {}): readonly Finding[] =>
  reconcileConclusion(check(options), text, domain).findings;
const short = (list: readonly Finding[]) => list.map(({ level, entity }) => [level, entity]);

const CASES = [
  {
    language: "Chinese",
    domain: values("苏州二部", "苏州三部直辖", "郑州系"),
    outsider: "用得最好的是苏州二部，用得最差的是武汉咨询部",
    prose: "用得最好的是双优的苏州二部、郑州系和武汉咨询部",
    unused: "用得最差的不好说，武汉咨询部没用这个工具",
    elsewhere: "用得最好的是苏州二部。武汉咨询部也不错。",
    truncated: "用得最好的是苏州三部",
    full: "用得最好的是苏州二部直辖",
    entity: "武汉咨询部",
  },
  {
    language: "English",
    domain: values("Suzhou Team", "Harbor Sales Team East", "Zhengzhou"),
    outsider: "The best was Suzhou Team and the worst was Wuhan Dept",
    prose: "The best are the excellent Suzhou Team, Zhengzhou and Wuhan Dept",
    unused: "Hard to say who is worst: Wuhan Dept did not use this tool",
    elsewhere: "The best is Suzhou Team. Wuhan Dept is fine too.",
    truncated: "The best is Harbor Sales Team",
    full: "The best is North Suzhou Team",
    entity: "Wuhan Dept",
  },
];

describe.each(CASES)("a conclusion in $language", (language) => {
  const { domain, entity } = language;

  it("has one red finding for the one ranked entity that is not in the domain", () => {
    expect(short(findings(language.outsider, domain))).toEqual([["red", entity]]);
  });

  it("is read without the prose around its names", () => {
    expect(short(findings(language.prose, domain))).toEqual([["red", entity]]);
  });

  it("has a warning where the text says that the outsider has no entries", () => {
    expect(short(findings(language.unused, domain))).toEqual([["warn", entity]]);
  });

  it("is free to name anything outside its claims", () => {
    expect(findings(language.elsewhere, domain)).toEqual([]);
  });

  it("may cut a full name short", () => {
    expect(findings(language.truncated, domain)).toEqual([]);
  });

  it("may give the full name of what the domain has in short", () => {
    expect(findings(language.full, domain)).toEqual([]);
  });

  it("has one error where the domain query failed, whatever it says", () => {
    const failed: DomainReply = { ok: false, message: 'no such table "deposits"' };
    const result = reconcileConclusion(check(), language.outsider, failed);
    expect(result.state).toBe("unchecked");
    expect(result.findings).toEqual([
      {
        check: "ranked teams ∈ ledger",
        level: "error",
        entity: null,
        sentence: null,
        nearest: [],
        detail: 'the domain query failed: no such table "deposits"',
      },
    ]);
  });
});

describe("a finding", () => {
  it("says where it is and which values are most like the entity", () => {
    const text = "结论：\n用得最好的是苏州二部，用得最差的是武汉咨询部！\n其余略。";
    expect(findings(text, values("苏州二部", "武汉战区", "武汉咨询中心", "大连战区"))).toEqual([
      {
        check: "ranked teams ∈ ledger",
        level: "red",
        entity: "武汉咨询部",
        sentence: "用得最好的是苏州二部，用得最差的是武汉咨询部！",
        nearest: ["武汉咨询中心", "武汉战区"],
        detail: '"武汉咨询部" is not among the 4 values of the domain',
      },
    ]);
  });

  it("is made once for an entity that a sentence repeats, and once for each sentence", () => {
    const text = "best is X Team, X Team really. Also the best: X Team.";
    expect(short(findings(text, values("Y Team")))).toEqual([
      ["red", "X Team"],
      ["red", "X Team"],
    ]);
  });

  it("is red where only one of an entity's mentions is near a zero-use word", () => {
    const text = `worst is X Team, as everybody could see from afar, and X Team has never used it`;
    expect(short(findings(text, values("Y Team")))).toEqual([["red", "X Team"]]);
  });
});

describe("a conclusion without claims", () => {
  it("has exactly one warning where it is empty", () => {
    for (const text of ["", "  \n\t "]) expect(short(findings(text, values("苏州二部")))).toEqual([["warn", null]]);
    expect(reconcileConclusion(check(), null, values("苏州二部")).state).toBe("unchecked");
  });

  it("has a warning that names the anchors where none of them is there", () => {
    const [only, ...others] = findings("武汉咨询部不错。", values("苏州二部"), { anchors: ["最好", "最差"] });
    expect(others).toEqual([]);
    expect(only?.level).toBe("warn");
    expect(only?.detail).toBe("no sentence has one of the anchors 最好, 最差");
  });
});

describe("a domain", () => {
  it("of no value at all is an error, for everything would be outside it", () => {
    expect(short(findings("best is X Team", values(" ", "")))).toEqual([["error", null]]);
  });

  it("is compared in compatibility form, whatever the width of characters and the spaces", () => {
    expect(findings("best is ＸＹ Team", values("XY  Team "))).toEqual([]);
    expect(findings("用得最好的是苏州 2 部", values("苏州２部"))).toEqual([]);
  });

  it("of very short values does not make every longer name legal", () => {
    expect(short(findings("用得最差的是合肥二部", values("二部")))).toEqual([["red", "合肥二部"]]);
    expect(short(findings("best is AB Team", values("AB")))).toEqual([["red", "AB Team"]]);
  });

  it("knows its values in the text, also one with an ending and a conjunction inside", () => {
    expect(findings("用得最好，团队叫云三部和战区", values("云三部和战区"))).toEqual([]);
  });

  it("has no value that a longer number or word merely ends in or begins with", () => {
    const quoted = { extract: "quoted" } as const;
    expect(short(findings("best is `Unit 1`", values("Unit 12"), quoted))).toEqual([["red", "Unit 1"]]);
    expect(short(findings("best is `Art Team`", values("smArt Team"), quoted))).toEqual([["red", "Art Team"]]);
  });
});

describe("a check's own words", () => {
  it("can add endings", () => {
    const text = "用得最差的是武汉门店";
    expect(findings(text, values("苏州门店"))).toEqual([]);
    expect(short(findings(text, values("苏州门店"), { entity_suffixes: ["门店"] }))).toEqual([["red", "武汉门店"]]);
  });

  it("can add generic terms", () => {
    const text = "用得最差的是示范战区";
    expect(short(findings(text, values("苏州战区")))).toEqual([["red", "示范战区"]]);
    expect(findings(text, values("苏州战区"), { generic_terms: ["示范"] })).toEqual([]);
  });

  it("can add zero-use words, which match whole numbers only", () => {
    const options = { zero_use_terms: ["0 件"] };
    expect(short(findings("用得最差的是X战区（0 件）", values("Y战区"), options))).toEqual([["warn", "X战区"]]);
    expect(short(findings("用得最差的是X战区（10 件）", values("Y战区"), options))).toEqual([["red", "X战区"]]);
  });
});

describe("whatever the text", () => {
  const name = fc.string({
    unit: fc.constantFrom(..."和平与及的是为苏州二三部等一两个比AB1 "),
    minLength: 1,
    maxLength: 6,
  });
  const suffix = fc.constantFrom("战区", "咨询部", "二部", "组", "OB", " Team", "直辖");
  const legal = fc
    .tuple(name, suffix)
    .map(([front, end]) => `${front}${end}`.trim())
    .filter((value) => value.length >= 3);
  const frame = fc.constantFrom(
    "用得最好的是",
    "用得最差：",
    "the best is ",
    "我们认为用得最好的团队当属",
    "用得最好，",
  );
  const tail = fc.constantFrom("", "。", "，共 12 笔。", "和其他战区", " and others");

  it("a legal name in a claim is never red", () => {
    fc.assert(
      fc.property(fc.array(legal, { minLength: 1, maxLength: 4 }), frame, tail, (names, before, after) => {
        const found = findings(`${before}${names[0]}${after}`, values(...names));
        expect(found.filter(({ level }) => level === "red")).toEqual([]);
      }),
    );
  });

  it("every red entity stands in its sentence and is longer than two characters", () => {
    const word = fc.oneof(name, suffix, frame, tail, fc.constantFrom("\n", "**", "“", "”", "- ", "| a | b |"));
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.constantFrom("suffix", "quoted", "domain"),
        (words, extract) => {
          for (const { entity, sentence } of findings(words.join(""), values("和平战区", "AB Team"), { extract })) {
            if (entity === null) continue;
            expect([...entity].length).toBeGreaterThan(2);
            expect(sentence?.normalize("NFKC").replaceAll(/\s/g, "")).toContain(entity.replaceAll(" ", ""));
          }
        },
      ),
    );
  });
});
