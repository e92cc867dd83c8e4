import { describe, expect, it } from "vitest";
import { tableStructure } from "../../src/answer/structure.js";
import type { CandidateSubmitted, TrialEventBody } from "../../src/core/event.js";
import { decide } from "../../src/validate/decide.js";
import { FORM_CHECKS } from "../../src/validate/form-rules.js";
import { checkInput } from "../../src/validate/mechanical/check-input.js";
import { runChecks } from "../../src/validate/mechanical/run-checks.js";
import { candidate, respond, started } from "../support/events.js";
import { profileWith } from "../support/profile.js";
import { stateAfter } from "../support/trial.js";

/** A candidate with these cells, by a source without SQL: its form is all that can be looked at. */
function tableOf(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): CandidateSubmitted {
  const plain = candidate("c");
  const table = { columns, types: columns.map(() => "VARCHAR"), rows };
  return {
    ...plain,
    candidate: { ...plain.candidate, columns, rows: rows.length, structure: tableStructure(table) },
    source: { tool: "execute_python", args: { code: "print()" } },
  };
}

function rulesOf(submitted: CandidateSubmitted): string[] {
  const packet = { schema_version: 2, evidence_items: [], omitted_or_unusable: [] } as const;
  const input = checkInput(started(), submitted, { trajectory: [], packet }, []);
  const outcome = runChecks(FORM_CHECKS, input, "answer");
  return outcome.done ? outcome.findings.map(({ rule, level }) => `${level} ${rule}`) : ["not done"];
}

describe("the rules of form", () => {
  it.each<[string, string[], (string | null)[][], string[]]>([
    [
      "nothing wrong",
      ["name", "n"],
      [
        ["a", "1"],
        ["b", "2"],
      ],
      [],
    ],
    ["no rows", ["n"], [], ["warn empty-table"]],
    ["percent signs", ["share"], [["12.5%"], ["7 %"]], ["red percent-sign"]],
    ["words with percent signs", ["note"], [["50% of them"], ["none"]], []],
    ["dates with slashes", ["day"], [["2024/3/1"], ["2024/3/2"]], ["warn loose-date"]],
    [
      "the same column twice",
      ["a", "b"],
      [
        ["1", "1.0"],
        ["2", "2.00"],
      ],
      ["red duplicate-column"],
    ],
    ["two columns that agree in one row only", ["a", "b"], [["1", "1"]], ["warn duplicate-column"]],
    [
      "one value in all rows",
      ["name", "year"],
      [
        ["a", "1998"],
        ["b", "1998"],
      ],
      ["warn constant-column"],
    ],
    [
      "no value in any row",
      ["name", "x"],
      [
        ["a", null],
        ["b", null],
      ],
      ["warn constant-column"],
    ],
    ["one column of one value", ["year"], [["1998"], ["1998"]], []],
  ])("find %s", (_, columns, rows, found) => {
    expect(rulesOf(tableOf(columns, rows))).toEqual(found);
  });

  it("reject a red fault without asking the model, with the fault as the issue", () => {
    const profile = profileWith({ answer_validation: { mode: "enforce" } });
    const share: TrialEventBody[] = [started(), respond({ calls: ["c"] }), tableOf(["share"], [["12.5%"]])];
    expect(decide(stateAfter(...share), profile)).toMatchObject({
      kind: "record",
      event: {
        type: "answer-validated",
        by: "code",
        verdict: "rejected",
        issues: [expect.stringContaining("12.5 for 12.5%")],
        message: expect.stringContaining("Change the form only"),
      },
    });
  });

  it("hand a warning to the model, and in observe a red one too", () => {
    const ask = (mode: "observe" | "enforce", table: CandidateSubmitted) => {
      const state = stateAfter(started(), respond({ calls: ["c"] }), table);
      const effect = decide(state, profileWith({ answer_validation: { mode } }));
      return effect?.kind === "call-model" ? (effect.request.messages[1]?.content ?? "") : effect?.kind;
    };
    expect(ask("enforce", tableOf(["day"], [["2024/3/1"]]))).toContain('"rule":"loose-date"');
    expect(ask("observe", tableOf(["share"], [["12.5%"]]))).toContain('"rule":"percent-sign"');
  });

  it("show the model columns, types, examples and the row count, and no rows", () => {
    const rows = Array.from({ length: 40 }, (_, index) => [`value-${index}`]);
    const state = stateAfter(started(), respond({ calls: ["c"] }), tableOf(["name"], rows));
    const effect = decide(state, profileWith({ answer_validation: { mode: "enforce" } }));
    const content = effect?.kind === "call-model" ? (effect.request.messages[1]?.content ?? "") : "";
    expect(content).toContain('{"name":"name","type":"VARCHAR","nulls":0,"distinct":40,"examples":["value-0",');
    expect(content).toContain("<row_count>\n40\n</row_count>");
    expect(content).not.toContain("value-5");
  });
});
