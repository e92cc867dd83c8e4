import { groupBy } from "./counting.js";
import { counted, grouped, seconds, UNDEFINED } from "./numbers.js";
import type { RoleSpending } from "./spending.js";
import type { ValidationSummary } from "./validation-summary.js";

/** What checks did, as sentences of parts; none where no trial was checked. */
export function validationSentences(validation: ValidationSummary | null): string[][] {
  if (validation === null) return [];
  return [
    checksSentence(validation),
    rejectionsSentence(validation),
    findingsSentence(validation),
    spentSentence(validation),
  ];
}

/** `checks: process candidate passed 3, rejected 1` */
function checksSentence({ checks, inconsistent, released_trials }: ValidationSummary): string[] {
  const groups = groupBy(checks, ({ validator, trigger, mode }) =>
    [validator, ...(validator === "process" ? [trigger] : []), ...(mode === "observe" ? ["observed"] : [])].join(" "),
  );
  const parts = [...groups].map(
    ([name, group]) => `${name} ${group.map(({ verdict, count }) => `${verdict} ${count}`).join(", ")}`,
  );
  const [first = "", ...others] = parts;
  return [
    `checks: ${first}`,
    ...others,
    ...(inconsistent > 0 ? [`${counted(inconsistent, "inconsistent verdict")}`] : []),
    ...(released_trials > 0
      ? [`${counted(released_trials, "trial")} RELEASED: an answer stands that no validator could check`]
      : []),
  ];
}

function rejectionsSentence({ rejections: of }: ValidationSummary): string[] {
  if (of.candidates === 0) return [];
  return [
    `${counted(of.candidates, "candidate")} taken back`,
    `answer changed ${of.changed}, the same again ${of.unchanged}, none after it ${of.without_answer}`,
    `score better ${of.better}, worse ${of.worse}, the same ${of.same_score}`,
  ];
}

function findingsSentence({ findings }: ValidationSummary): string[] {
  if (findings.length === 0) return [];
  return [`findings by code: ${findings.map(({ rule, level, count }) => `${rule} ${level} ×${count}`).join(", ")}`];
}

function spentSentence({ spent }: ValidationSummary): string[] {
  return spent.map((one) => spentPart(`${one.validator} validator`, one));
}

/** `process validator 3 calls, 900 tokens in, 60 out, 1.2 s` */
export function spentPart(role: string, spent: RoleSpending): string {
  const tokens = (count: number | null) => (count === null ? UNDEFINED : grouped(count));
  return `${role} ${counted(spent.calls, "call")}, ${tokens(spent.input_tokens)} tokens in, ${tokens(spent.output_tokens)} out, ${seconds(spent.seconds)} s`;
}
