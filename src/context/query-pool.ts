import { availableParallelism } from "node:os";
import type { Catalog } from "../core/catalog.js";
import type { QueryErrorCode, QueryLimits, QueryResult, QueryWorker } from "../core/ports/query-worker.js";
import { type SandboxCapabilities, sandboxCapabilities } from "./query-capabilities.js";
import { childCommand } from "./query-command.js";
import { type Answer, type AskLimits, type QueryProcess, startQueryProcess } from "./query-process.js";
import type { ChildRequest } from "./query-protocol.js";

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
   * calls begins and ends to wait for a child that others use.
   */
  worker(context: QueryContext, onWait?: (began: boolean) => void): QueryWorker;
  /** Kills all children; queries in flight end as `worker-lost`, those that wait for a child reject. Returns when all are gone. */
  close(): Promise<void>;
}

export interface QueryPoolOptions {
  /** Children alive at once, at least 1; 2 × cores when not given. */
  readonly max_children?: number;
  /** What the machine offers to lock children in; found out at the first start when not given. */
  readonly capabilities?: SandboxCapabilities;
}

type OnWait = (began: boolean) => void;

const PARSE_MS = 10_000;
const OUT_OF_MEMORY = /out of memory|bad_?\s?alloc|allocation fail/i;
const CLOSED = "the query pool is closed";

/** A place for one child: being started while `process` is null. In the pool's list, the longest idle come first. */
interface Slot {
  readonly digest: string;
  process: QueryProcess | null;
  busy: boolean;
  /** Whom this slot took the place of, to be gone before a new child starts. */
  readonly evicted: QueryProcess | null;
}

interface Waiter {
  readonly digest: string;
  readonly grant: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Children are leased per call, never per trial: a call takes an idle child of its context, else starts one while fewer than
 * `max_children` are alive, else has the longest idle child of another context replaced, else waits its turn.
 */
export function createQueryPool(options: QueryPoolOptions = {}): QueryPool {
  const max = options.max_children ?? 2 * availableParallelism();
  const slots = new Set<Slot>();
  const waiters: Waiter[] = [];
  const leases = new Set<Promise<unknown>>();
  let closed = false;
  let capabilities: Promise<SandboxCapabilities> | null = null;

  const take = (digest: string): Slot | null => {
    const idle = [...slots].filter((slot) => !slot.busy);
    const own = idle.find((slot) => slot.digest === digest);
    if (own !== undefined) {
      own.busy = true;
      return own;
    }
    const other = slots.size < max ? null : idle[0];
    if (other === undefined) return null;
    if (other !== null) slots.delete(other);
    const slot: Slot = { digest, process: null, busy: true, evicted: other?.process ?? null };
    slots.add(slot);
    return slot;
  };

  const serveWaiters = () => {
    for (let first = waiters[0]; first !== undefined; first = waiters[0]) {
      const slot = take(first.digest);
      if (slot === null) return;
      waiters.shift();
      first.grant(slot);
    }
  };

  const claim = async (digest: string, signal: AbortSignal | undefined, onWait: OnWait): Promise<Slot> => {
    signal?.throwIfAborted();
    if (closed) throw new Error(CLOSED);
    const free = waiters.length === 0 ? take(digest) : null;
    if (free !== null) return free;
    onWait(true);
    return queue(waiters, digest, signal).finally(() => onWait(false));
  };

  const release = (slot: Slot) => {
    slot.busy = false;
    slots.delete(slot);
    if (slot.process?.alive() === true) slots.add(slot);
    serveWaiters();
  };

  const start = async (slot: Slot, context: QueryContext): Promise<QueryProcess> => {
    capabilities ??= options.capabilities === undefined ? sandboxCapabilities() : Promise.resolve(options.capabilities);
    const command = childCommand(await capabilities, { path: context.database, digest: context.digest });
    await slot.evicted?.stop();
    if (closed) throw new Error(CLOSED);
    const tables = context.catalog.tables.map(({ name, columns }) => ({ name, columns: columns.map((c) => c.name) }));
    slot.process = await startQueryProcess(command, tables);
    return slot.process;
  };

  const stopAll = () => Promise.all([...slots].map((slot) => slot.process?.stop()));

  const leased = async (
    context: QueryContext,
    request: ChildRequest,
    limits: AskLimits,
    onWait: OnWait,
  ): Promise<Timed> => {
    const slot = await claim(context.digest, limits.signal, onWait);
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
      release(slot);
    }
  };

  const lease: typeof leased = (context, request, limits, onWait) => {
    const result = leased(context, request, limits, onWait);
    const settled: Promise<unknown> = result.catch(() => undefined).finally(() => leases.delete(settled));
    leases.add(settled);
    return result;
  };

  return {
    worker: (context, onWait = () => {}) => ({
      query: async (sql, limits) =>
        queryResult(await lease(context, { kind: "query", sql, max_rows: limits.max_rows }, limits, onWait), limits),
      parse: async (sql) => {
        const { answer } = await lease(context, { kind: "parse", sql }, { timeout_ms: PARSE_MS }, onWait);
        return answer.kind === "tree"
          ? { ok: true, tree: answer.tree }
          : { ok: false, error: failure(answer, undefined) };
      },
    }),
    close: async () => {
      closed = true;
      for (const waiter of waiters.splice(0)) waiter.refuse(new Error(CLOSED));
      await stopAll();
      // A child that was being started is one of these leases.
      await Promise.all(leases);
      await stopAll();
    },
  };
}

/** Waits for a slot in the order of asking; an abort takes the waiter out of the line. */
function queue(waiters: Waiter[], digest: string, signal: AbortSignal | undefined): Promise<Slot> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiters.splice(waiters.indexOf(waiter), 1);
      reject(signal?.reason);
    };
    const waiter: Waiter = {
      digest,
      grant: (slot) => {
        signal?.removeEventListener("abort", leave);
        resolve(slot);
      },
      refuse: (reason) => {
        signal?.removeEventListener("abort", leave);
        reject(reason);
      },
    };
    waiters.push(waiter);
    signal?.addEventListener("abort", leave, { once: true });
  });
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
