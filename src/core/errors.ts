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

/** A run's files cannot be written: a full disk, a limit, a folder that is read-only. The CLI says so in one line and exits 3. */
export class StorageError extends Error {
  readonly code = "storage";

  constructor(file: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${file} cannot be written (${why}); what was written before stands: make room, then go on with daw-eval resume`,
    );
    this.name = "StorageError";
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
