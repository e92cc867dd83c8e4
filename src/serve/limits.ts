/** What bounds the service: what one request may hold and take, and how many there may be at once. */
export interface ServiceLimits {
  /** Of one request's body. */
  readonly body_bytes: number;
  /** For a whole request to arrive. */
  readonly receive_ms: number;
  /** For its verdicts, waiting for a turn included. */
  readonly verify_ms: number;
  /** Requests in hand; one more is told to come again. */
  readonly in_flight: number;
  /** For requests in hand, once the service is told to stop. */
  readonly shutdown_ms: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  body_bytes: 256 * 1024,
  receive_ms: 15_000,
  verify_ms: 120_000,
  in_flight: 128,
  shutdown_ms: 10_000,
};
