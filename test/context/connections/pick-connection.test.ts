import { describe, expect, it } from "vitest";
import { type Connection, pickConnection } from "../../../src/context/connections/connection.js";

const ledger: Connection = { type: "sqlite", path: "/data/ledger.db" };
const archive: Connection = { type: "duckdb", path: "/data/archive.duckdb" };
const live: Connection = { type: "postgres", url_env: "LIVE_URL" };
const all = new Map<string, Connection>([
  ["ledger", ledger],
  ["archive", archive],
  ["live", live],
]);
const picked = (sql: string, connections = all) => {
  const found = pickConnection(sql, connections);
  return found.ok ? found.connection : found.message;
};

describe("the connection of a check", () => {
  it("is the one that the first line names", () => {
    expect(pickConnection("-- archive\nSELECT a FROM t", all)).toEqual({
      ok: true,
      connection: archive,
      sql: "SELECT a FROM t",
    });
    expect(picked("  --ledger  \r\nSELECT a FROM t")).toBe(ledger);
  });

  it("is else the first Postgres one, else the first one, else the task's context", () => {
    expect(picked("SELECT a FROM t")).toBe(live);
    expect(
      picked(
        "SELECT a FROM t",
        new Map([
          ["archive", archive],
          ["ledger", ledger],
        ]),
      ),
    ).toBe(archive);
    expect(picked("SELECT a FROM t", new Map())).toBe(null);
  });

  it("is the task's context where the first line says context", () => {
    expect(picked("-- context\nSELECT a FROM t")).toBe(null);
  });

  it("is not named by a comment of several words", () => {
    expect(picked("-- all ledger teams\nSELECT a FROM t")).toBe(live);
  });

  it("must be one that there is", () => {
    expect(picked("-- ledgr\nSELECT a FROM t")).toBe(
      'there is no connection "ledgr" (the first line of domain_sql); known are ledger, archive, live, context',
    );
  });
});
