import { declarationsIn, declared, reached, typeSection } from "./run-log-reference.js";

/** docs/json.md: what `report --json` and `diff --json` print, from the comments of their types. `source` is the folder of all sources. */
export function jsonReference(source: string): string {
  const all = declarationsIn(`${source}/core`, `${source}/stats`, `${source}/report`);
  const summary = declared(all, "RunSummary");
  const arm = declared(all, "ArmSummary");
  const comparison = declared(all, "Comparison");
  return [
    "# JSON of report and diff",
    "",
    "Generated from the types that it is printed from (`npm run docs`). Names are stable; fields may be added. Rates and scores are 0 … 1, times are seconds unless the name",
    "says otherwise, and null means _undefined here_ (too few tasks, nothing scored, not asked for): never 0, and never NaN.",
    "",
    "## daw-eval report RUN --json",
    "",
    'One run is a `RunSummary`; several are `{"runs": [RunSummary, …]}`.',
    "",
    ...typeSection(summary),
    ...typeSection(arm),
    "## daw-eval diff BASE HEAD --json",
    "",
    'One comparison is a `Comparison`; several arms of one head are `{"arms": [Comparison, …]}`, several heads `{"base": run id, "comparisons": [Comparison, …]}`.',
    "",
    ...typeSection(comparison),
    "## Types in them",
    "",
    ...reached(all, [summary, arm, comparison]).flatMap((declaration) => typeSection(declaration)),
  ].join("\n");
}
