export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Lets go of the sources; the signal aborts no more by them. */
  release(): void;
}

/**
 * A signal that is aborted when one of `sources` is, with its reason. Unlike those of AbortSignal.any it leaves nothing behind at sources
 * that outlive it: a run's signals see one for every effect of every trial.
 */
export function linkedSignal(sources: readonly AbortSignal[]): LinkedSignal {
  const own = new AbortController();
  const unlink = sources.map((source) => {
    const follow = () => own.abort(source.reason);
    source.addEventListener("abort", follow, { once: true });
    if (source.aborted) follow();
    return () => source.removeEventListener("abort", follow);
  });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => {
      for (const one of unlink) one();
    },
  };
}
