import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readTable } from "../../src/score/read-large-table.js";
import { readCells, readColumns } from "../../src/score/read-table.js";
import { folderWith } from "../support/folder.js";

const OPTIONS = { thousands: true };

/** A file of some 9 MB: numbers, dates, names and a gap now and then; `last` is its last line. */
function largeFile(last = ""): string {
  const file = path.join(folderWith(), "大表.csv");
  const padding = "x".repeat(600);
  const lines = Array.from({ length: 15_000 }, (_, row) => [
    `"1,${String(row % 1000).padStart(3, "0")}"`,
    `2024-01-${1 + (row % 28)}`,
    "Ada",
    row % 7 === 0 ? "" : `L${row}`,
    padding,
  ]);
  writeFileSync(
    file,
    `n,day,first_name,last_name,padding\n${lines.map((cells) => cells.join(",")).join("\n")}\n${last}`,
  );
  return file;
}

describe("a large table", () => {
  it("is read in a thread of its own down to the same columns and cells", async () => {
    const file = largeFile();
    const ports = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const before = ports();
    const reading = readTable("columns", file, OPTIONS);
    await new Promise(setImmediate);
    expect(ports()).toBeGreaterThan(before);
    const columns = await reading;
    expect(columns).toEqual(await readColumns(file, OPTIONS));
    expect(columns).toMatchObject({ ok: true, table: { rows: 15_000, names: [{ first: 2, last: 3 }] } });
    expect(await readTable("cells", file, OPTIONS)).toEqual(await readCells(file, OPTIONS));
  });

  it("that is no table is unreadable for the same reason, whichever way it is read", async () => {
    const file = largeFile("one,cell too few\n");
    const reading = await readTable("columns", file, OPTIONS);
    expect(reading).toEqual({ ok: false, missing: false, reason: "line 15002 has 2 cells, the header has 5 columns" });
    expect(await readTable("cells", file, OPTIONS)).toEqual(reading);
  });

  it("follows the option that says whether 1,234 is a number", async () => {
    const file = largeFile();
    const strict = await readTable("columns", file, { thousands: false });
    expect(strict).toEqual(await readColumns(file, { thousands: false }));
    expect(strict).not.toEqual(await readTable("columns", file, OPTIONS));
  });
});

describe("a file that is not there", () => {
  it("is missing", async () => {
    expect(await readTable("cells", path.join(folderWith(), "none.csv"), OPTIONS)).toMatchObject({
      ok: false,
      missing: true,
    });
  });
});
