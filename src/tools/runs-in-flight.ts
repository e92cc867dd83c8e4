import { linkedSignal } from "../core/linked-signal.js";

/** What runs in a sandbox, so that closing it leaves nothing behind. */
export interface RunsInFlight {
  /** Runs `work`; its signal is aborted with `signal`, and by `close`. */
  during<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts all that runs and returns when it has ended. */
  close(): Promise<void>;
}

export function runsInFlight(): RunsInFlight {
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    during: (signal, work) => {
      const linked = linkedSignal([signal, closed.signal]);
      const result = work(linked.signal).finally(linked.release);
      const settled: Promise<unknown> = result.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return result;
    },
    close: async () => {
      closed.abort(new Error("the sandbox is closed"));
      await Promise.all(running);
    },
  };
}
