import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Catalog } from "../core/catalog.js";
import { digestOf } from "../core/digest.js";
import { cachedEntry, entryFolder } from "./cache.js";
import { type ContextListing, listContextFiles } from "./context-files.js";
import { digestListing } from "./digest-folder.js";

/** A context as tools and the query child read it. */
export interface CompiledContext {
  /** Digest of content and compiler; also `catalog.digest`. */
  readonly digest: string;
  /** Absolute path of the DuckDB file, to be opened READ_ONLY. */
  readonly database: string;
  /** Absolute path of the cache folder that holds all of it. */
  readonly folder: string;
  readonly catalog: Catalog;
}

export interface CompileOptions {
  /** Folder in which compiled contexts are kept from run to run; made when absent. */
  readonly cache_dir: string;
  /** A context of this digest that is open already, so that the cache need not be read again. */
  readonly opened?: (digest: string) => CompiledContext | undefined;
  /** Aborted: the promise rejects with the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal;
}

/** Counts up whenever the same bytes compile to something else, so that old cache entries are not taken for new ones. */
const COMPILER_VERSION = 1;

/** The engine's own `version()` would load the engine. */
const DUCKDB_PACKAGE: unknown = createRequire(import.meta.url)("@duckdb/node-api/package.json");

function duckdbVersion(description: unknown): string {
  if (description !== null && typeof description === "object" && "version" in description) {
    return String(description.version);
  }
  throw new Error("the package @duckdb/node-api names no version");
}

/**
 * Compiles a context folder into a DuckDB file, a catalog and texts, or takes them from the cache, keyed by content. Whatever cannot
 * be read becomes an uncertainty; the promise rejects with UsageError when `dir` is not a folder, and with Error when its files
 * change meanwhile or the cache cannot be written.
 */
export async function compileContext(dir: string, options: CompileOptions): Promise<CompiledContext> {
  const { cache_dir, signal } = options;
  const listing = await listContextFiles(dir);
  const content = await digestListing(listing, signal);
  const digest = digestOf({ content, compiler: COMPILER_VERSION, duckdb: duckdbVersion(DUCKDB_PACKAGE) });
  const opened = options.opened?.(digest);
  if (opened !== undefined) return opened;
  const folder = entryFolder(cache_dir, digest);
  const build = async (building: string) => {
    // DuckDB and the file readers are loaded only where something is to be built: a cached context opens in milliseconds.
    const { buildContext } = await import("./build-context.js");
    const catalog = await buildContext(listing, digest, building, signal);
    await checkUnchanged(listing);
    return catalog;
  };
  const catalog = await cachedEntry(cache_dir, digest, build, signal);
  return { digest, database: path.join(folder, `${digest}.duckdb`), folder, catalog };
}

/** What is stored under a digest must come from the bytes that were digested. */
async function checkUnchanged(listing: ContextListing): Promise<void> {
  for (const file of listing.files) {
    const now = await stat(file.absolute).catch(() => null);
    if (now?.size !== file.bytes || now.mtimeMs !== file.modified) {
      throw new Error(`${file.path} changed while its context was compiled; try again`);
    }
  }
}
