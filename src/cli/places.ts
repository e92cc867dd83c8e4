/** Where `daw-eval run` puts runs unless --out says otherwise. */
export const RUNS_FOLDER = "runs";
