import type { Plan } from "../sql/plan.js";
import { comparisonPlan } from "./comparison-plan.js";
import { readConditions } from "./conditions.js";
import { countPlan } from "./count-plan.js";
import { type Formula, readFormula } from "./formulas.js";
import { type Grouping, readGrouping } from "./groups.js";
import { type Head, readHeads } from "./heads.js";
import { listPlan } from "./list-plan.js";
import { percentagePlan } from "./percentage-plan.js";
import type { Question, Reading } from "./question.js";
import { readSuperlative, type Superlative } from "./superlatives.js";

/** Everything read from a question, from which its plan is composed. */
export interface Understanding {
  readonly reading: Reading;
  readonly heads: readonly Head[];
  readonly head: Head;
  readonly grouping: Grouping | null;
  readonly superlative: Superlative | null;
  readonly formula: Formula | null;
}

/** What an English question asks, as a plan. */
export function composePlan(question: Question): Plan {
  const understanding = understand(question);
  switch (understanding.head.kind) {
    case "percentage":
      return percentagePlan(understanding);
    case "ratio":
    case "difference":
      return comparisonPlan(understanding);
    case "count":
    case "amount":
      return countPlan(understanding);
    default:
      return listPlan(understanding);
  }
}

function understand(question: Question): Understanding {
  const reading = readConditions(question);
  const formula = readFormula(reading);
  for (const mention of formula?.mentions ?? []) reading.used.add(mention);
  const grouping = readGrouping(reading);
  const superlative = readSuperlative(reading);
  const heads = readHeads(question);
  const head = heads[0] ?? { kind: "list", from: 0, to: 0, end: question.tokens.length };
  return { reading, heads, head, grouping, superlative, formula };
}
