export const DIFFICULTIES = ["easy", "medium", "hard", "extreme", "unknown"] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/** One question over one bundle of data: all that an agent's run may know. Gold and checks are other types, in `score`. */
export interface Task {
  readonly task_id: string;
  readonly question: string;
  /** For reports only; nothing may route on it. `unknown` where task.json has none. */
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  /** Absolute path of the folder with task.json. */
  readonly folder: string;
  /** Absolute path of the data that the agent can reach. */
  readonly context_dir: string;
  /** Keys of task.json that we do not know: kept for the log, shown to nobody else. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Which tasks of a suite a run is to take. */
export interface TaskSelection {
  /** Task ids or globs (`*`, `?`), comma lists allowed; empty: all. Each must match a task. */
  readonly only: readonly string[];
  /** Tasks with any of these tags, comma lists allowed; empty: all. Each must be a task's tag. */
  readonly tags: readonly string[];
  /** The first so many of what is left; null: all. */
  readonly limit: number | null;
}

/** The tasks of one run, sorted by task id in natural order (task_9 before task_10). */
export interface Suite {
  /** Absolute path that was given on the command line. */
  readonly path: string;
  readonly name: string;
  readonly tasks: readonly Task[];
}
