import { once } from "node:events";
import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { compileContext } from "../../src/context/compile.js";
import { digestFolder } from "../../src/context/digest-folder.js";
import { UsageError } from "../../src/core/errors.js";
import { folderWith } from "../support/folder.js";
import { codesOf, tablesOf } from "./compiled.js";

const compile = (dir: string) => compileContext(dir, { cache_dir: path.join(folderWith(), "cache") });

describe("the files of a context", () => {
  it("do not include what a symbolic link outside leads to", async () => {
    const outside = folderWith({ "secret.csv": "password\nx\n", "more/b.csv": "id\n1\n" });
    const dir = folderWith({ "a.csv": "id,name\n1,x\n" });
    symlinkSync(path.join(outside, "secret.csv"), path.join(dir, "link.csv"));
    symlinkSync(path.join(outside, "more"), path.join(dir, "folder"));
    symlinkSync("../../../../../etc/hostname", path.join(dir, "host.txt"));
    symlinkSync("nowhere", path.join(dir, "broken.csv"));
    const context = await compile(dir);
    expect(Object.keys(await tablesOf(context))).toEqual(["a"]);
    expect(context.catalog.documents).toEqual([]);
    expect(context.catalog.uncertainties.map(({ source, code }) => [source, code])).toEqual([
      ["broken.csv", "broken-link"],
      ["folder", "link-outside"],
      ["host.txt", "link-outside"],
      ["link.csv", "link-outside"],
    ]);
  });

  it("include what a symbolic link inside leads to, and hard links, but follow no folder in circles", async () => {
    const dir = folderWith({ "data/a.csv": "id\nx\n", "b.csv": "id\ny\n" });
    symlinkSync("data/a.csv", path.join(dir, "link.csv"));
    symlinkSync("..", path.join(dir, "data/up"));
    linkSync(path.join(dir, "b.csv"), path.join(dir, "hard.csv"));
    const context = await compile(dir);
    expect(Object.keys(await tablesOf(context))).toEqual(["b", "a", "hard", "link"]);
    expect(codesOf(context)).toEqual(["link-to-folder"]);
  });

  it("may be below a folder that is itself reached by a link", async () => {
    const real = folderWith({ "context/a.csv": "id\nx\n" });
    const link = path.join(folderWith(), "link");
    symlinkSync(path.join(real, "context"), link);
    expect(Object.keys(await tablesOf(await compile(link)))).toEqual(["a"]);
  });

  it("are regular files: a socket or a pipe is never opened, since that may wait for ever", async () => {
    const dir = folderWith({ "a.csv": "id\nx\n" });
    const server = createServer().listen(path.join(dir, "socket.csv"));
    await once(server, "listening");
    onTestFinished(() => void server.close());
    expect(codesOf(await compile(dir))).toEqual(["not-a-file"]);
  });

  it("have a digest that depends on names and bytes alone", async () => {
    const dir = folderWith({ "b/c.txt": "2", "a.txt": "1", "é.txt": "3" });
    const other = folderWith({ ["é.txt".normalize("NFD")]: "3", "a.txt": "1" });
    mkdirSync(path.join(other, "b"));
    mkdirSync(path.join(other, "empty"));
    writeFileSync(path.join(other, "b/c.txt"), "2");
    writeFileSync(path.join(other, ".DS_Store"), "junk");
    expect(await digestFolder(other)).toBe(await digestFolder(dir));
    const changes = [{ "a.txt": "2" }, { "a.txt2": "1" }, { "a.txt": "1", "b/c.txt": "" }, {}];
    const digests = await Promise.all([...changes.map((files) => digestFolder(folderWith(files))), digestFolder(dir)]);
    expect(new Set(digests).size).toBe(changes.length + 1);
  });

  it("must be in a folder", async () => {
    const dir = folderWith({ "a.csv": "id\n1\n" });
    await expect(compile(path.join(dir, "nowhere"))).rejects.toThrow(UsageError);
    await expect(compile(path.join(dir, "a.csv"))).rejects.toThrow(/no such folder/);
  });

  it("stay as they are, also when SQLite would write beside them, and its log is read with them", async () => {
    const dir = folderWith({ "a.csv": "1\n2\n", "b.json": "[1]", "c.txt": "x" });
    const live = path.join(folderWith(), "live.db");
    const database = new Database(live);
    database.pragma("journal_mode = wal");
    database.exec("CREATE TABLE t (n); INSERT INTO t VALUES (1)");
    for (const ending of ["", "-wal"]) copyFileSync(live + ending, path.join(dir, `w.db${ending}`));
    database.close();
    const state = () => readdirSync(dir).map((name) => [name, statSync(path.join(dir, name)).mtimeMs]);
    const before = [statSync(dir).mtimeMs, state()];
    const context = await compile(dir);
    expect([statSync(dir).mtimeMs, state()]).toEqual(before);
    expect((await tablesOf(context)).t).toEqual({ "n BIGINT": ["1"] });
    expect(codesOf(context)).toEqual(["empty-header", "no-header"]);
  });
});
