import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../../src/core/finding.js";
import { sharedDir } from "../../support/shared.js";
import { CORRECT } from "./correct-submissions.js";
import { FAULTS } from "./faults.js";
import { HELD_OUT_FAULTS } from "./held-out-faults.js";
import { type Fault, RULES, type RuleNumber, type Script } from "./script.js";
import { openStage, type Stage } from "./scripted-trial.js";

const NUMBERS: readonly RuleNumber[] = [1, 2, 3, 4, 5, 6, 7, 8];
const ALL_FAULTS = [...FAULTS, ...HELD_OUT_FAULTS];
/** All of them take a minute or two on a slow machine. */
const PATIENCE_MS = 600_000;

interface Outcome<S extends Script> {
  readonly script: S;
  readonly findings: readonly Finding[];
  /** A red finding rejected before a model was asked. */
  readonly byCode: boolean;
}

const isOwn = ({ rule }: Fault, finding: Finding): boolean => RULES[rule].some((name) => name === finding.rule);
const isCaught = ({ script, findings }: Outcome<Fault>): boolean => findings.some((finding) => isOwn(script, finding));
const alarms = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== "note");

/** `caught` per rule on the faults, `red` and `warn` findings of a rule on correct submissions. */
function table(faults: readonly Outcome<Fault>[], correct: readonly Outcome<Script>[]): string {
  const lines = NUMBERS.map((rule) => {
    const own = faults.filter(({ script }) => script.rule === rule);
    const held = own.filter(({ script }) => HELD_OUT_FAULTS.includes(script));
    const red = own.filter(({ script, findings }) => findings.some((one) => isOwn(script, one) && one.level === "red"));
    const false_ = (level: Finding["level"]) =>
      correct.filter(({ findings }) =>
        findings.some((one) => one.level === level && RULES[rule].some((name) => name === one.rule)),
      );
    return [
      `rule ${rule}`,
      `caught ${own.filter(isCaught).length} of ${own.length} (${red.length} red)`,
      `of those held out ${held.filter(isCaught).length} of ${held.length}`,
      `false alarms: ${false_("red").length} red, ${false_("warn").length} warn of ${correct.length}`,
      RULES[rule].join(", "),
    ].join(" | ");
  });
  const missed = faults
    .filter((one) => !isCaught(one))
    .map(({ script }) => `missed: rule ${script.rule}, ${script.name}`);
  return [...lines, ...missed].join("\n");
}

describe.skipIf(sharedDir === null)(
  "faults put into submissions over the shared and the demo tasks (needs the shared data)",
  () => {
    let stage: Stage;
    let faults: Outcome<Fault>[] = [];
    let correct: Outcome<Script>[] = [];

    async function outcomes<S extends Script>(scripts: readonly S[]): Promise<Outcome<S>[]> {
      const all: Outcome<S>[] = [];
      for (const script of scripts) {
        const { validated, lastContent } = await stage.run(script);
        if (validated === null) throw new Error(`${script.name}: nothing was submitted: ${lastContent}`);
        all.push({ script, findings: validated.findings, byCode: validated.by === "code" });
      }
      return all;
    }

    beforeAll(async () => {
      stage = openStage();
      faults = await outcomes(ALL_FAULTS);
      correct = await outcomes(CORRECT);
      console.log(table(faults, correct));
    }, PATIENCE_MS);
    afterAll(() => stage.close());

    it("are at least 48, six of each of the eight rules, a third of them held out, beside 40 correct submissions", () => {
      expect(faults.length).toBeGreaterThanOrEqual(48);
      for (const rule of NUMBERS) {
        expect(ALL_FAULTS.filter((fault) => fault.rule === rule).length).toBeGreaterThanOrEqual(6);
      }
      expect(HELD_OUT_FAULTS.length).toBeGreaterThanOrEqual(faults.length / 3 - 1);
      expect(correct.length).toBeGreaterThanOrEqual(40);
    });

    it("are caught by their own rule, at least 80 of 100 in all and half of each rule, before a model is asked", () => {
      expect(faults.filter(isCaught).length / faults.length).toBeGreaterThanOrEqual(0.8);
      for (const rule of NUMBERS) {
        const own = faults.filter(({ script }) => script.rule === rule);
        expect(own.filter(isCaught).length / own.length, `rule ${rule}`).toBeGreaterThanOrEqual(0.5);
      }
    });

    it("are rejected without a model exactly where a finding is red", () => {
      for (const { script, findings, byCode } of [...faults, ...correct]) {
        expect(byCode, script.name).toBe(findings.some(({ level }) => level === "red"));
      }
    });

    it("leave no red finding on a correct submission, and warnings on few", () => {
      const red = correct.filter(({ findings }) => findings.some(({ level }) => level === "red"));
      expect(red.map(({ script, findings }) => [script.name, findings])).toEqual([]);
      expect(correct.filter(({ findings }) => alarms(findings).length > 0).length / correct.length).toBeLessThan(0.15);
    });
  },
);
