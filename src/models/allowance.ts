/** How many requests may be in flight, as the endpoint's answers teach it. */
export interface Allowance {
  most(): number;
  /** To be kept for `answered` or `refused` of a request that starts now. */
  epoch(): number;
  answered(epoch: number): void;
  /** Refused as one too many, while `inFlight` requests (itself included) were in flight. */
  refused(epoch: number, inFlight: number): void;
}

/**
 * Any number at first. A refusal halves what was in flight, never below one; as many answers as are allowed raise it by
 * one again. Only requests that started since the last halving count: those before it say nothing about the new number,
 * and of requests that are refused together only the first does.
 */
export function createAllowance(): Allowance {
  let most = Number.POSITIVE_INFINITY;
  let halvings = 0;
  let answers = 0;
  return {
    most: () => most,
    epoch: () => halvings,
    answered: (epoch) => {
      if (epoch < halvings) return;
      answers++;
      if (answers < most) return;
      answers = 0;
      most++;
    },
    refused: (epoch, inFlight) => {
      if (epoch < halvings) return;
      halvings++;
      answers = 0;
      most = Math.max(1, Math.floor(inFlight / 2));
    },
  };
}
