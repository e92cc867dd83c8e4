import { availableParallelism } from "node:os";
import type { Catalog } from "../core/catalog.js";
import type { OverlayTable } from "../core/overlay.js";
import type { QueryErrorCode, QueryLimits, QueryResult, QueryWorker } from "../core/ports/query-worker.js";
import { type SandboxCapabilities, sandboxCapabilities } from "./query-capabilities.js";
import { childCommand } from "./query-command.js";
import { type Answer, type AskLimits, type QueryProcess, startQueryProcess } from "./query-process.js";
import type { ChildRequest } from "./query-protocol.js";
import { createSlots, type OnWait, type Slot } from "./query-slots.js";

/** What a query child needs of a compiled context. */
export interface QueryContext {
  readonly digest: string;
  /** Absolute path of the compiled DuckDB file. */
  readonly database: string;
  readonly catalog: Catalog;
}

/** Query children for all contexts of a run. */
export interface QueryPool {
  /**
   * A worker of one context; costs nothing until it is asked. Children of equal digests are shared. `onWait` is told when one of its
   * calls begins and ends to wait for a child that others use. `overlay`: further tables that its queries, and no others, can read.
   */
  worker(context: QueryContext, onWait?: OnWait, overlay?: readonly OverlayTable[]): QueryWorker;
  /** Kills all children; queries in flight end as `worker-lost`, those that wait for a child reject. Returns when all are gone. */
  close(): Promise<void>;
}

export interface QueryPoolOptions {
  /** Children alive at once, at least 1; 2 × cores when not given. */
  readonly max_children?: number;
  /** What the machine offers to lock children in; found out at the first start when not given. */
  readonly capabilities?: SandboxCapabilities;
}

const PARSE_MS = 10_000;
const OUT_OF_MEMORY = /out of memory|bad_?\s?alloc|allocation fail/i;

/**
 * A pool of query children. They are leased per call, never per trial; which child a call gets is for `query-slots` to say. A child
 * that ran out of memory is replaced, and its query asked once more in a fresh one.
 */
export function createQueryPool(options: QueryPoolOptions = {}): QueryPool {
  const slots = createSlots(options.max_children ?? 2 * availableParallelism());
  const leases = new Set<Promise<unknown>>();
  let capabilities: Promise<SandboxCapabilities> | null = null;

  const start = async (slot: Slot, context: QueryContext): Promise<QueryProcess> => {
    capabilities ??= options.capabilities === undefined ? sandboxCapabilities() : Promise.resolve(options.capabilities);
    const command = childCommand(await capabilities, { path: context.database, digest: context.digest });
    await slot.evicted?.stop();
    slots.checkOpen();
    const tables = context.catalog.tables.map(({ name, columns }) => ({ name, columns: columns.map((c) => c.name) }));
    const child = await startQueryProcess(command, tables);
    slot.process = child;
    slots.checkOpen();
    return child;
  };

  const leased = async (
    context: QueryContext,
    request: ChildRequest,
    limits: AskLimits,
    onWait: OnWait,
  ): Promise<Timed> => {
    const slot = await slots.claim(context.digest, limits.signal, onWait);
    try {
      const used = slot.process?.alive() === true ? slot.process : null;
      const child = used ?? (await start(slot, context));
      limits.signal?.throwIfAborted();
      const timed = await ask(child, request, limits);
      if (!ranOutOfMemory(timed.answer)) return timed;
      // A child never gives all its memory back: what it answers must not depend on what it was asked before.
      await child.stop();
      return used === null ? timed : await ask(await start(slot, context), request, limits);
    } finally {
      slots.release(slot);
    }
  };

  const lease: typeof leased = (context, request, limits, onWait) => {
    const result = leased(context, request, limits, onWait);
    const settled: Promise<unknown> = result.catch(() => undefined).finally(() => leases.delete(settled));
    leases.add(settled);
    return result;
  };

  return {
    worker: (context, onWait = () => {}, overlay = []) => ({
      query: async (sql, limits) => {
        const request = { kind: "query", sql, max_rows: limits.max_rows, overlay } as const;
        return queryResult(await lease(context, request, limits, onWait), limits);
      },
      parse: async (sql) => {
        const { answer } = await lease(context, { kind: "parse", sql }, { timeout_ms: PARSE_MS }, onWait);
        return answer.kind === "tree"
          ? { ok: true, tree: answer.tree }
          : { ok: false, error: failure(answer, undefined) };
      },
    }),
    close: async () => {
      await slots.close();
      // A child that was being started is one of these leases.
      await Promise.all(leases);
      await slots.close();
    },
  };
}

/** An answer and how long the child worked on it, in milliseconds; waiting for a child is not work. */
interface Timed {
  readonly answer: Answer;
  readonly ms: number;
}

async function ask(child: QueryProcess, request: ChildRequest, limits: AskLimits): Promise<Timed> {
  const start = performance.now();
  const answer = await child.ask(request, limits);
  return { answer, ms: Math.round(performance.now() - start) };
}

function ranOutOfMemory(answer: Answer): boolean {
  return answer.kind === "failed" && OUT_OF_MEMORY.test(answer.message);
}

function queryResult({ answer, ms }: Timed, limits: QueryLimits): QueryResult {
  if (answer.kind !== "done") return { ok: false, error: failure(answer, limits.signal), ms };
  const { columns, types, rows, truncated } = answer;
  return { ok: true, table: { columns, types, rows }, truncated, ms };
}

/** What a worker says about an answer that is not the asked-for one. Throws the signal's reason for an aborted query. */
function failure(answer: Answer, signal: AbortSignal | undefined): { code: QueryErrorCode; message: string } {
  if (answer.kind !== "failed" || answer.code === "cannot-open") throw new Error(`the query child said ${answer.kind}`);
  if (answer.code === "aborted") throw signal?.reason;
  // The engine's own last words, when its process died of it, are for nobody.
  if (answer.code === "worker-lost" && ranOutOfMemory(answer)) {
    return { code: "sql-error", message: "Out of Memory Error: the query needs more memory than it may have" };
  }
  return { code: answer.code, message: answer.message };
}
