import { expect, it } from "vitest";
import { shapiroWilk } from "../../../src/models/lexical/statistics/shapiro-wilk.js";
import { callerOf, compiled, csv } from "../../tools/tool-fixture.js";
import { ask } from "./trial.js";

it("computes the Shapiro–Wilk test in SQL as scipy does", async () => {
  const rows = [[148], [154], [158], [160], [161], [162], [166], [170], [182], [195], [236]];
  const caller = callerOf(await compiled({ "csv/weights.csv": csv([["x"], ...rows]) }));
  const sql = `WITH ${shapiroWilk("test", "weights", "x").join(", ")} SELECT round(w, 4), round(p, 4) FROM test`;
  const result = await caller.pool.worker(caller.context).query(sql, { max_rows: 1, timeout_ms: 30_000 });
  await caller.pool.close();
  expect(result.ok && result.table.rows).toEqual([["0.7888", "0.0067"]]);
});

it("submits the same answer for the same messages, and tells what it weighed", async () => {
  const caller = callerOf(
    await compiled({
      "csv/pots.csv": csv([
        ["glaze", "price"],
        ["blue", 4],
        ["red", 6],
      ]),
    }),
  );
  const question = "What is the average price of the pots?";
  const [first, second] = [await ask(caller, { question }), await ask(caller, { question })];
  await caller.pool.close();
  expect(first.answer?.rows).toEqual([["5"]]);
  expect(second.responses.map((response) => response.tool_calls)).toEqual(
    first.responses.map((response) => response.tool_calls),
  );
  expect(first.responses.at(-1)?.extra).toHaveProperty("slots");
});
