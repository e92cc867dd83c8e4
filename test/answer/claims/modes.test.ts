import { describe, expect, it } from "vitest";
import { reconcileConclusion } from "../../../src/answer/claims/reconcile.js";
import { reconcileColumn } from "../../../src/answer/claims/reconcile-column.js";
import type { ClaimCheck, ExtractMode } from "../../../src/core/claim-check.js";
import type { DomainReply } from "../../../src/core/ports/domain-query.js";

const check = (options: Partial<ClaimCheck>): ClaimCheck => ({
  name: "check",
  domain_sql: "SELECT value FROM t",
  anchors: ["最好", "best"],
  extract: "suffix",
  entity_suffixes: [],
  generic_terms: [],
  zero_use_terms: [],
  column: null,
  ...options,
});
const values = (...list: string[]): DomainReply => ({ ok: true, values: list });
const reds = (text: string, domain: DomainReply, extract: ExtractMode) =>
  reconcileConclusion(check({ extract }), text, domain).findings.map(({ entity }) => entity);

describe("extract: quoted", () => {
  it("takes what any pair of quotes, book marks, backticks or bold sets apart", () => {
    const text =
      "最好的有“甲公司”、\"乙公司\"、'丙公司'、「丁公司」、『戊公司』、《己公司》、`庚公司`、**辛公司**和壬公司";
    const found = ["甲公司", "乙公司", "丙公司", "丁公司", "戊公司", "己公司", "庚公司", "辛公司"];
    expect(reds(text, values("某公司"), "quoted")).toEqual(found);
  });

  it("takes the head of a list item and the naming cell of a table row", () => {
    const list =
      "The best customers:\n- Acme Ltd: 12 orders\n- Bolt (Paris)\n* Crane — late\n3. Dune, the newest\n4) Ezra";
    expect(reds(list, values("Zeta"), "quoted")).toEqual(["Acme Ltd", "Bolt", "Crane", "Dune", "Ezra"]);
    const table = "| rank | best customer | orders |\n|---|---|---|\n| 1 | Acme Ltd | 12 |\n| 2 | Zeta | 3 |";
    expect(reds(table, values("Zeta"), "quoted")).toEqual(["Acme Ltd"]);
  });

  it("takes a list item that makes the claim itself by what follows the anchor", () => {
    expect(reds("- 最好：甲公司（12 单）\n- 其他：乙公司", values("丙公司"), "quoted")).toEqual(["甲公司"]);
  });

  it("leaves numbers, shares, amounts and dates alone", () => {
    const text = "最好的是**甲公司**：**120**、**35.2%**、**¥1,200**、**12 orders**、**2024-01-02**、**约 3 万元**";
    expect(reds(text, values("甲公司"), "quoted")).toEqual([]);
  });

  it("tries a whole span before it takes it for an enumeration", () => {
    expect(reds("best is “Smith, John”", values("Smith, John"), "quoted")).toEqual([]);
    expect(reds("best are “Smith, Jones”", values("Smith"), "quoted")).toEqual(["Jones"]);
    expect(reds("最好的是“甲公司、乙公司、丙公司”", values("甲公司"), "quoted")).toEqual(["乙公司", "丙公司"]);
  });

  it("reads a list only where a line with an anchor introduces it", () => {
    expect(reds("最好的是「甲公司」。\n- 乙公司\n", values("甲公司"), "quoted")).toEqual([]);
    expect(reds("最好的如下：\n\n- 甲公司\n\n正文\n\n- 乙公司\n", values("丙公司"), "quoted")).toEqual(["甲公司"]);
  });
});

describe("extract: domain", () => {
  const cities = values("New York", "San Francisco", "Saint Petersburg");

  it("finds spans that are almost a value, in whole words", () => {
    expect(reds("The best are San Fransisco and New York.", cities, "domain")).toEqual(["San Fransisco"]);
    expect(reds("最好的是郑州五系", values("郑州三系", "洛阳系"), "domain")).toEqual(["郑州五系"]);
  });

  it("finds nothing in text that is like no value", () => {
    expect(reds("The best are Boston and Chicago, with the newer yards.", cities, "domain")).toEqual([]);
  });

  it("does not care about case, nor about a value that is cut short", () => {
    expect(reds("The best is NEW YORK, then Saint Petersbu", cities, "domain")).toEqual([]);
  });

  it("finds a value with swapped, missing, wrong or additional letters wherever it stands", () => {
    const names = values("Rotterdam", "温州三分公司");
    for (const name of ["Rottredam", "Roterdam", "Rotterdan", "Rotterxdam"]) {
      expect(reds(`${name} is best`, names, "domain")).toEqual([name]);
      expect(reds(`so the best are ${name}`, names, "domain")).toEqual([name]);
    }
    expect(reds("最好的是温州二分公司和温州三公司", names, "domain")).toEqual(["温州二分公司", "温州三公司"]);
  });

  it("takes the longest of the spans that are equally near", () => {
    expect(reds("best: Saint Peterburg", cities, "domain")).toEqual(["Saint Peterburg"]);
  });
});

describe("a check of a column", () => {
  const column = (cells: readonly string[], domain: DomainReply, name = "team") => {
    const counts = new Map<string, number>();
    for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    return reconcileColumn(
      check({ column: name, anchors: [] }),
      { columns: ["n", "team"], cells: [new Map([["9", 1]]), counts] },
      domain,
    );
  };

  it("reconciles every value, and says how many rows have an outsider", () => {
    const result = column(["甲部", "乙部", "乙部", " 乙部", "", " "], values("甲部"));
    expect(result.state).toBe("red");
    expect(result.findings.map(({ entity, detail }) => [entity, detail])).toEqual([
      ["乙部", '"乙部" (in 3 rows of team) is not the one value of the domain'],
    ]);
  });

  it("compares numbers as the scorer does and names as in a conclusion", () => {
    expect(column(["7", "苏州三部", "ＡＢＣ"], values("7.0", "苏州三部直辖", "ABC")).state).toBe("passed");
  });

  it("finds its column whatever the case of the header", () => {
    expect(column(["x y"], values("x y"), "TEAM").state).toBe("passed");
  });

  it("is unchecked, with one warning, without a prediction, a column or a value", () => {
    const none = reconcileColumn(check({ column: "team" }), null, values("a"));
    for (const result of [none, column(["a"], values("a"), "dept"), column([""], values("a"))]) {
      expect(result.state).toBe("unchecked");
      expect(result.findings.map(({ level }) => level)).toEqual(["warn"]);
    }
  });

  it("is unchecked, with an error, without a domain", () => {
    const result = column(["a"], { ok: false, message: "timeout" });
    expect(result.state).toBe("unchecked");
    expect(result.findings.map(({ level }) => level)).toEqual(["error"]);
  });

  it("lists a hundred outsiders and counts the others", () => {
    const cells = Array.from({ length: 130 }, (_, index) => `value ${index}`);
    const { findings } = column(cells, values("something else"));
    expect(findings).toHaveLength(100);
    expect(findings.at(-1)?.detail).toContain("30 more values of the column are not either");
  });
});
