import path from "node:path";
import { describe, expect, it } from "vitest";
import { readSqliteView } from "../../src/context/read/sqlite-view.js";
import { endlessView } from "./made-files.js";

function endless(): { readonly file: string; readonly out: string } {
  const file = endlessView();
  return { file, out: path.join(path.dirname(file), "cells") };
}

describe("a view that never ends", () => {
  it("is given up when its time is over", async () => {
    const { file, out } = endless();
    await expect(readSqliteView(file, "forever", out, "x.db#forever", undefined, 400)).rejects.toThrow(
      "it did not end within 0.4 seconds",
    );
  });

  it("is given up when the compile is aborted", async () => {
    const { file, out } = endless();
    const abort = new AbortController();
    const reading = readSqliteView(file, "forever", out, "x.db#forever", abort.signal);
    setTimeout(() => abort.abort(new Error("enough")), 200);
    await expect(reading).rejects.toThrow("enough");
  });
});
