import type { LimitReached } from "./event.js";

/** A stored trial says that its time was up during a call: where it is replayed, the call is cut off there again. */
export class CutOffError extends Error {
  readonly code = "cut-off";
  readonly event: LimitReached;

  constructor(event: LimitReached) {
    super(event.detail);
    this.event = event;
  }
}
