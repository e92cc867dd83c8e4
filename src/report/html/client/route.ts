/** What the page shows, as it stands after `#`. */
export interface Route {
  readonly run: number;
  /** Null: the run's first. */
  readonly arm: string | null;
  readonly trial: { readonly task_id: string; readonly k: number; readonly seq: number | null } | null;
  /** The run whose trial of the same task and repeat stands beside it; null: none. */
  readonly beside: number | null;
}

/** Reads `#task_64/2/17`, `#task_64/2`, or `#`, each with `?run=<position>&arm=<name>` where they are not the first, and `beside=<position>`. */
export function parseRoute(hash: string): Route {
  const [place = "", query = ""] = hash.replace(/^#/, "").split("?");
  const words = new URLSearchParams(query);
  const [task = "", k, seq] = place.split("/");
  return {
    run: positionOf(words.get("run")) ?? 0,
    arm: words.get("arm"),
    trial:
      task === "" ? null : { task_id: decoded(task), k: Number(k ?? "1"), seq: seq === undefined ? null : Number(seq) },
    beside: positionOf(words.get("beside")),
  };
}

export function formatRoute({ run, arm, trial, beside }: Route): string {
  const place =
    trial === null
      ? ""
      : [encodeURIComponent(trial.task_id), trial.k, ...(trial.seq === null ? [] : [trial.seq])].join("/");
  const words = new URLSearchParams({
    ...(run === 0 ? {} : { run: String(run) }),
    ...(arm === null ? {} : { arm }),
    ...(beside === null ? {} : { beside: String(beside) }),
  });
  return `#${place}${words.size === 0 ? "" : `?${words}`}`;
}

function positionOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
