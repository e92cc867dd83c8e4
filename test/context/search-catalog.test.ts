import { describe, expect, it } from "vitest";
import type { CompiledContext } from "../../src/context/compile.js";
import { searchCatalog } from "../../src/context/search-catalog.js";
import { compiledFrom } from "./compiled.js";

const heroes = {
  "superhero.csv": `id,superhero_name,eye_colour,note
1,Spider-Man,Blue,"${"very long ".repeat(30)}"
2,X-Man,Red,short
3,Ra's al Ghul,Light Blue,
`,
  "superpower.csv": "id,power_name\n1,Super Strength\n2,Flight\n3,Strength of Ten\n",
  "球员.csv": "球队,城市,性别\n阿根廷国家队,北京市,男\n巴西国家队,上海,女\n",
  "knowledge.md": "# Colour codes\ntext\n## 定义 与 术语\n",
};

/** The first matches: kind, what it is, and the words that fit. */
async function found(context: CompiledContext, query: string, limit: number): Promise<string[]> {
  const { matches } = await searchCatalog(context, query, limit);
  return matches.map((match) => {
    const what = {
      table: () => ("table" in match ? match.table : ""),
      column: () => ("column" in match ? `${match.table}.${match.column}` : ""),
      value: () => ("value" in match ? `${match.table}.${match.column} = ${match.value}` : ""),
      heading: () => ("heading" in match ? `${match.path}:${match.line}` : ""),
    }[match.kind]();
    return `${match.kind} ${what} [${match.matched}]`;
  });
}

describe("a search of the catalog", () => {
  it("finds stored values that stand in a question, whatever case, hyphens and possessives", async () => {
    const context = await compiledFrom(heroes);
    const question = "How many heroes with Light-Blue eyes have SPIDER MAN's super strength?";
    expect(await found(context, question, 3)).toEqual([
      "value superhero.eye_colour = Light Blue [light blue]",
      "value superhero.superhero_name = Spider-Man [spider man]",
      "value superpower.power_name = Super Strength [super strength]",
    ]);
    expect(await found(context, "ras al ghul, I mean Ra’s al Ghul", 1)).toEqual([
      "value superhero.superhero_name = Ra's al Ghul [ra al ghul]",
    ]);
  });

  it("finds tables, columns and headings by their words, whole names before parts of names", async () => {
    const context = await compiledFrom(heroes);
    expect(await found(context, "eye colour", 3)).toEqual([
      "column superhero.eye_colour [eye colour]",
      "heading knowledge.md:1 [colour]",
    ]);
    expect(await found(context, "superpowers", 2)).toEqual(["table superpower [superpower]"]);
  });

  it("reads Chinese questions without knowing where words end", async () => {
    const context = await compiledFrom(heroes);
    expect(await found(context, "阿根廷国家队在北京市有多少男球员?", 4)).toEqual([
      "value 球员.球队 = 阿根廷国家队 [阿根廷国家队]",
      "value 球员.城市 = 北京市 [北京市]",
      "table 球员 [球员]",
      "value 球员.球队 = 巴西国家队 [国家 家队]",
    ]);
    expect(await found(context, "术语的定义", 1)).toEqual(["heading knowledge.md:3 [定义 术语]"]);
  });

  it("gives the same matches every time, at most as many as asked for, and none for words that say nothing", async () => {
    const context = await compiledFrom(heroes);
    const all = await searchCatalog(context, "strength of the blue man", 100);
    expect(await searchCatalog(context, "strength of the blue man", 100)).toEqual(all);
    expect((await searchCatalog(context, "strength of the blue man", 2)).matches).toEqual(all.matches.slice(0, 2));
    expect((await searchCatalog(context, "what is the of", 10)).matches).toEqual([]);
    expect((await searchCatalog(context, "", 10)).matches).toEqual([]);
  });

  it("says which columns have values that it cannot find", async () => {
    const context = await compiledFrom(heroes);
    const { capped } = await searchCatalog(context, "anything", 1);
    expect(capped).toEqual([{ table: "superhero", column: "note", indexed: 1, distinct: 2 }]);
  });

  it("finds a name among 150,000 by all of it", async () => {
    const rows = Array.from({ length: 150_000 }, (_, i) => `customer number ${i},x\n`).join("");
    const context = await compiledFrom({ "c.csv": `name,y\n${rows}` });
    const [match] = (await searchCatalog(context, "orders of customer number 149999 in May", 1)).matches;
    expect(match).toMatchObject({ kind: "value", value: "customer number 149999", rows: 1 });
  });
});
