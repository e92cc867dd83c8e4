/** Time comes in as an argument, so that nothing below the CLI reads it from the air. */
export interface Clock {
  /** Now, ISO 8601 with milliseconds, UTC. */
  iso(): string;
  /** Milliseconds that only go forward; for durations. */
  milliseconds(): number;
}
