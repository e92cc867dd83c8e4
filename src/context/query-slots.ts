import type { QueryProcess } from "./query-process.js";

/** A place for one child, held by one call at a time. */
export interface Slot {
  /** Of the context whose database the child has open. */
  readonly digest: string;
  /** Null until the child has been started. */
  process: QueryProcess | null;
  busy: boolean;
  /** The child whose place this slot took: to be gone before a new one starts. */
  readonly evicted: QueryProcess | null;
}

/** Told when a call begins (true) and ends (false) to wait for a child that others use. */
export type OnWait = (began: boolean) => void;

/** The places for children of all contexts: never more than `max` at once. */
export interface Slots {
  /**
   * An idle slot of this context, else a new one while there are fewer than `max`, else one in the place of the longest idle child of
   * another context, else the first to come free, in the order of asking. Rejects with the signal's reason, or once closed.
   */
  claim(digest: string, signal: AbortSignal | undefined, onWait: OnWait): Promise<Slot>;
  /** Gives a slot back; one without a living child is dropped. */
  release(slot: Slot): void;
  /** Lets nobody wait or claim any more; returns when every child that has been started is gone. */
  close(): Promise<void>;
  /** Throws once closed. */
  checkOpen(): void;
}

interface Waiter {
  readonly digest: string;
  readonly grant: (slot: Slot) => void;
  readonly refuse: (reason: unknown) => void;
}

export function createSlots(max: number): Slots {
  /** The longest idle ones come first. */
  const slots = new Set<Slot>();
  const waiters: Waiter[] = [];
  let closed = false;
  const refusal = () => new Error("the query pool is closed");

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

  const checkOpen = () => {
    if (closed) throw refusal();
  };
  return {
    checkOpen,
    claim: async (digest, signal, onWait) => {
      signal?.throwIfAborted();
      checkOpen();
      const free = waiters.length === 0 ? take(digest) : null;
      if (free !== null) return free;
      onWait(true);
      return await inLine(waiters, digest, signal).finally(() => onWait(false));
    },
    release: (slot) => {
      slot.busy = false;
      slots.delete(slot);
      if (slot.process?.alive() === true) slots.add(slot);
      serveWaiters();
    },
    close: async () => {
      closed = true;
      for (const waiter of waiters.splice(0)) waiter.refuse(refusal());
      await Promise.all([...slots].map((slot) => slot.process?.stop()));
    },
  };
}

/** Waits for a slot; an abort takes the waiter out of the line. */
function inLine(waiters: Waiter[], digest: string, signal: AbortSignal | undefined): Promise<Slot> {
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
