import { checkLines } from "../answer/line-format.js";
import { readConclusion } from "./read-conclusion.js";
import type { Scorer } from "./scorer.js";
import { scored, unscored } from "./table-scorer.js";

/**
 * Whether the lines that a task asks for stand in the conclusion (seed 2: computed when scoring, so that a new rule needs no new
 * run). The value is the share of required lines that are there, of all lines where none is required.
 */
export const lineFormat: Scorer = {
  name: "line-format",
  version: "1",
  options: [],
  async score({ conclusion }, { checks }) {
    if (checks.line_formats.length === 0) return unscored("the task has no line formats");
    const rules = checkLines(await readConclusion(conclusion), checks.line_formats);
    const required = rules.filter((rule) => rule.required);
    const counted = required.length > 0 ? required : rules;
    const complied = counted.filter((rule) => rule.complied).length;
    return scored(complied / counted.length, { rules });
  },
};
