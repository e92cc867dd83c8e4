/** Limits of an account over any minute; null: none known. */
export interface MinuteLimits {
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
}

export interface MinuteWindow {
  /** Milliseconds from `now` until a request of so many tokens keeps the limits. */
  waitFor(tokens: number, now: number): number;
  /** Counts a request that starts now. The function that it returns puts in the tokens that it really took. */
  count(tokens: number, now: number): (tokens: number) => void;
}

const MINUTE_MS = 60_000;

/**
 * The limits hold in every 60 s, wherever they begin. A request that alone is above the limit of tokens goes when it is
 * alone in its minute.
 */
export function createMinuteWindow(limits: MinuteLimits): MinuteWindow {
  const { requests_per_minute, tokens_per_minute } = limits;
  if (requests_per_minute === null && tokens_per_minute === null) return { waitFor: () => 0, count: () => () => {} };
  /** Of the last minute, oldest first. */
  let starts: { readonly at: number; tokens: number }[] = [];

  const waitForRequests = (now: number): number => {
    const tooOld = requests_per_minute === null ? undefined : starts[starts.length - requests_per_minute];
    return tooOld === undefined ? 0 : tooOld.at + MINUTE_MS - now;
  };
  const waitForTokens = (tokens: number, now: number): number => {
    let sum = starts.reduce((total, start) => total + start.tokens, tokens);
    let wait = 0;
    for (const start of starts) {
      if (tokens_per_minute === null || sum <= tokens_per_minute) break;
      sum -= start.tokens;
      wait = start.at + MINUTE_MS - now;
    }
    return wait;
  };
  return {
    waitFor: (tokens, now) => {
      starts = starts.filter(({ at }) => now - at < MINUTE_MS);
      return Math.max(waitForRequests(now), waitForTokens(tokens, now));
    },
    count: (tokens, now) => {
      const start = { at: now, tokens };
      starts.push(start);
      return (taken) => {
        start.tokens = taken;
      };
    },
  };
}
