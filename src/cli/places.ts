/** Where `daw-eval run` puts runs unless --out says otherwise. */
export const RUNS_FOLDER = "runs";

/** Where runs are kept for git, to compare with. */
export const BASELINES_FOLDER = "runs/baselines";
