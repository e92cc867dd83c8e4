/**
 * An error that a person can mend: bad usage, a bad profile, a bad task. The CLI prints each of `lines` as one line
 * (what is wrong, where, what to do) and exits 2, with no stack.
 */
export class UsageError extends Error {
  readonly code = "usage";
  readonly lines: readonly string[];

  constructor(lines: string | readonly string[]) {
    const list = typeof lines === "string" ? [lines] : lines;
    super(list.join("\n"));
    this.name = "UsageError";
    this.lines = list;
  }
}

/** A run's folder or log that cannot be read: says file and line. The CLI exits 2. */
export class RunLogError extends Error {
  readonly code = "run-log";

  constructor(message: string) {
    super(message);
    this.name = "RunLogError";
  }
}

/** An event that the state it meets does not allow: always a bug or a log that was edited by hand. */
export class IllegalTransition extends Error {
  readonly code = "illegal-transition";

  constructor(message: string) {
    super(message);
    this.name = "IllegalTransition";
  }
}

/** Marks the arms of an exhaustive switch: does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
