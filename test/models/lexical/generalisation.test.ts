import { afterAll, describe, expect, it } from "vitest";
import { columnSignature } from "../../../src/answer/signature.js";
import type { Table } from "../../../src/core/ports/query-worker.js";
import { type Caller, callerOf, compiled } from "../../tools/tool-fixture.js";
import { airline } from "./held/airline.js";
import { energyChinese } from "./held/energy-chinese.js";
import { festival } from "./held/festival.js";
import { hospital } from "./held/hospital.js";
import { cardGame } from "./held/players.js";
import { realty } from "./held/realty.js";
import { ask } from "./trial.js";
import { bank } from "./worlds/bank.js";
import { clinic } from "./worlds/clinic.js";
import { club } from "./worlds/club.js";
import { districts } from "./worlds/districts.js";
import { observatory } from "./worlds/documents.js";
import { dragons } from "./worlds/dragons.js";
import { farm } from "./worlds/farm-statistics.js";
import { forum } from "./worlds/forum.js";
import { league } from "./worlds/league.js";
import { chineseLedger, chineseStore } from "./worlds/ledger-chinese.js";
import { rally } from "./worlds/rally.js";
import { shop } from "./worlds/shop.js";
import type { World, WorldQuestion } from "./worlds/world.js";

const WORLDS: readonly World[] = [
  bank,
  clinic,
  club,
  districts,
  dragons,
  forum,
  league,
  rally,
  shop,
  observatory,
  farm,
  chineseLedger,
  chineseStore,
  airline,
  energyChinese,
  festival,
  hospital,
  cardGame,
  realty,
];

/** Of all questions on invented data, so many must be answered right. */
const LEAST_RATE = 0.8;

const rates: { readonly world: string; readonly right: number; readonly asked: number }[] = [];

describe("the baseline on invented data", () => {
  afterAll(() => {
    const right = rates.reduce((sum, rate) => sum + rate.right, 0);
    const asked = rates.reduce((sum, rate) => sum + rate.asked, 0);
    const lines = rates.map((rate) => `${rate.world} ${rate.right}/${rate.asked}`);
    console.log(`lexical baseline: ${right} of ${asked} right (${lines.join(", ")})`);
    expect(right / asked).toBeGreaterThanOrEqual(LEAST_RATE);
  });

  it.each(WORLDS)("submits an answer to every question of $name", async (world) => {
    const caller = callerOf(await compiled(filesOf(world)));
    const wrong: string[] = [];
    for (const question of world.questions) if (!(await isRight(caller, world, question))) wrong.push(question.ask);
    await caller.pool.close();
    rates.push({ world: world.name, right: world.questions.length - wrong.length, asked: world.questions.length });
  });
});

function filesOf(world: World): Record<string, string> {
  const tables = Object.entries(world.tables).map(([name, text]) => [`csv/${name}.csv`, text] as const);
  const guide = world.knowledge === undefined ? [] : [["knowledge.md", world.knowledge] as const];
  return Object.fromEntries([...tables, ...guide, ...Object.entries(world.documents ?? {})]);
}

async function isRight(caller: Caller, world: World, question: WorldQuestion): Promise<boolean> {
  const { answer } = await ask(caller, {
    question: question.ask,
    ...(world.knowledge === undefined ? {} : { knowledge: world.knowledge }),
  });
  const gold = await caller.pool.worker(caller.context).query(question.gold, { max_rows: 10_000, timeout_ms: 30_000 });
  if (!gold.ok) throw new Error(`${question.ask}: ${gold.error.message}`);
  expect(answer, question.ask).not.toBeNull();
  return answer !== null && signatures(answer) === signatures(gold.table);
}

/** Columns as multisets of values, in any order: how the product's primary scorer compares. */
function signatures(table: Table): string {
  return table.columns
    .map((_, index) => columnSignature(table.rows.map((row) => row[index] ?? null)))
    .sort()
    .join("\n");
}
