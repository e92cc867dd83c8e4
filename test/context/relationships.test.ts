import { describe, expect, it } from "vitest";
import type { CompiledContext } from "../../src/context/compile.js";
import { compiledFrom } from "./compiled.js";
import { sqliteFile } from "./made-files.js";

/** `a.x → b.y` of every relationship, with its kind and evidence. */
function relationshipsOf(context: CompiledContext): string[] {
  return context.catalog.relationships.map(
    ({ from_table, from_column, to_table, to_column, kind, evidence }) =>
      `${from_table}.${from_column} → ${to_table}.${to_column} (${kind}): ${evidence}`,
  );
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const column = (name: string, values: readonly (string | number)[]) =>
  `${name},n\n${values.map((v) => `${v},0\n`).join("")}`;

describe("relationships", () => {
  it("are the foreign keys of a schema, with what the values say, also when the table comes from another file", async () => {
    const context = await compiledFrom({
      "shop.db": sqliteFile(
        `CREATE TABLE orders (id INTEGER PRIMARY KEY, who INTEGER REFERENCES people, what TEXT REFERENCES goods(code));
         CREATE TABLE goods (code TEXT PRIMARY KEY); INSERT INTO goods VALUES ('a'), ('b');
         INSERT INTO orders VALUES (1, 7, 'a'), (2, 8, 'z'), (3, NULL, NULL)`,
      ),
      "people.csv": "id,name\n7,x\n8,y\n",
    });
    expect(relationshipsOf(context)).toEqual([
      "orders.what → goods.code (declared): Foreign key in the schema of shop.db; 1 of 2 distinct values are found there.",
      "orders.who → people.id (declared): Foreign key in the schema of shop.db (that table comes from people.csv); all 2 distinct values are found there.",
    ]);
  });

  it("are inferred from names like hero_id and superhero.id, where the values are found", async () => {
    const context = await compiledFrom({
      "superhero.csv": "id,eye_colour_id,raceId\n1,1,5\n2,2,6\n3,1,5\n",
      "hero_power.csv": "hero_id,power\n1,x\n1,y\n3,z\n",
      "colour.csv": "id,colour\n1,Blue\n2,Red\n3,Green\n",
      "races.csv": "race_id,name\n5,Human\n6,Elf\n7,Orc\n",
    });
    expect(relationshipsOf(context)).toEqual([
      "hero_power.hero_id → superhero.id (inferred): hero_id names superhero.id; all 2 distinct values are found there.",
      "superhero.eye_colour_id → colour.id (inferred): eye_colour_id names colour.id; all 2 distinct values are found there.",
      "superhero.raceId → races.race_id (inferred): Both columns are named raceId; all 2 distinct values are found there.",
    ]);
  });

  it("are not inferred from values alone, nor from names alone", async () => {
    const context = await compiledFrom({
      "a.csv": column("amount", numbers(1, 50)),
      "b.csv": column("id", numbers(1, 50)),
      "c.csv": column("b_id", numbers(1000, 1050)),
      "d.csv": "name,year\nx,2020\ny,2021\n",
      "e.csv": "name,year\nx,2020\ny,2021\n",
    });
    expect(relationshipsOf(context)).toEqual([]);
  });

  it("say when a join may repeat rows, and when types differ", async () => {
    const context = await compiledFrom({
      "results.csv": "race_id,x\n1,a\n1,b\n2,c\n",
      "laps.csv": "race_id,y\n1,a\n1,b\n2,c\n2,d\n3,e\n",
      "drivers.json": '[{"team_code":"1"},{"team_code":"2"}]',
      "teams.csv": "code,z\n1,a\n2,b\n",
    });
    expect(relationshipsOf(context)).toEqual([
      "drivers.team_code → teams.code (inferred): team_code names teams.code; all 2 distinct values are found there; the types differ (VARCHAR, BIGINT): compare as VARCHAR.",
      "results.race_id → laps.race_id (inferred): Both columns are named race_id; all 2 distinct values are found there; laps.race_id is not unique, so a join may repeat rows.",
    ]);
  });

  it("read Chinese names, and look up a part of very many values", async () => {
    const context = await compiledFrom({
      "员工.csv": column("部门编号", numbers(1, 250_000)),
      "部门.csv": column("编号", numbers(1, 260_000)),
    });
    const [found, ...others] = relationshipsOf(context);
    expect(others).toEqual([]);
    expect(found).toMatch(
      /^员工\.部门编号 → 部门\.编号 \(inferred\): 部门编号 names 部门\.编号; all \d+ distinct values looked up \(one in 3\) are found there\.$/,
    );
  });
});
