import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxCapabilities } from "./query-capabilities.js";

export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The database's path as the child sees it. */
  readonly database: string;
}

/** A file that a child opens, and the neutral name under which it does. */
interface ChildDatabase {
  readonly path: string;
  readonly digest: string;
}

/** Children run compiled code, also when their parent runs from the TypeScript sources: both trees have the same depth. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const ENTRY = "dist/context/query-child.js";

/** Address space in bytes. DuckDB's limit is 1 GB; with 2 GB here one full sort made every later query fail. */
const ADDRESS_SPACE = 3_000_000_000;

/** How to start a query child with what the machine offers. `database` null: a child that is only to load. */
export function childCommand(
  tools: Pick<SandboxCapabilities, "prlimit" | "bwrap">,
  database: ChildDatabase | null,
): ChildCommand {
  const limits = tools.prlimit === null ? [] : [tools.prlimit, `--as=${ADDRESS_SPACE}`, "--core=0"];
  const inside = tools.bwrap === null ? null : insideBubble(tools.bwrap, database);
  const node = inside?.command ?? [process.execPath, path.join(PACKAGE, ENTRY)];
  const [file = process.execPath, ...args] = [...limits, ...node];
  return { file, args, database: inside?.database ?? database?.path ?? "" };
}

/** A file system with the system's libraries, Node, our compiled code, its packages and the one database; no network, no processes. */
function insideBubble(bwrap: string, database: ChildDatabase | null): { command: string[]; database: string } {
  const inner = database === null ? "" : `/data/${database.digest.slice(0, 12)}.duckdb`;
  const options = [
    ["--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534"],
    ["--cap-drop", "ALL", "--die-with-parent", "--clearenv"],
    ...["/usr", "/bin", "/lib", "/lib32", "/lib64", "/nix/store"].map(systemFolder),
    process.execPath.startsWith("/usr/") ? [] : ["--ro-bind", process.execPath, process.execPath],
    ["--ro-bind", path.join(PACKAGE, "package.json"), "/app/package.json"],
    ["--ro-bind", path.join(PACKAGE, "dist"), "/app/dist"],
    ["--ro-bind", installedPackages(), "/app/node_modules"],
    database === null ? [] : ["--ro-bind", database.path, inner],
    ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/", "--chdir", "/", "--"],
  ];
  return { command: [bwrap, ...options.flat(), process.execPath, `/app/${ENTRY}`], database: inner };
}

/** bwrap's options for one folder of the system, read-only: `/lib` and its like are links on most systems and folders on some. */
export function systemFolder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (lstatSync(folder).isSymbolicLink()) return ["--symlink", readlinkSync(folder), folder];
  return ["--ro-bind", folder, folder];
}

/** The real folder in which DuckDB's package is installed. */
function installedPackages(): string {
  const found = realpathSync(createRequire(import.meta.url).resolve("@duckdb/node-api"));
  return found.slice(0, found.lastIndexOf(`${path.sep}@duckdb${path.sep}`));
}
