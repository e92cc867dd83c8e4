import type { ArmSummary } from "../../arm-summary.js";
import { CONFUSION_HEADERS, confusionNotes, confusionRows } from "../../confusion-table.js";
import { doseSentences, doseTable } from "../../dose-response.js";
import { CLAIM_CHECK_HEADERS, claimCheckRow, LINE_FORMAT_HEADERS, lineFormatRow } from "../../own-checks.js";
import { planSentences, STOPPED_HEADERS, stoppedRows } from "../../plan-sentences.js";
import type { RunSummary } from "../../summary.js";
import { validationSentences } from "../../validation-sentences.js";
import { type Child, h, plainTable, sentenceList } from "./dom.js";
import { phrase, t } from "./strings.js";

/** What checks of evidence, claims and lines came to in one arm; nothing where there were none. */
export function checksView({ dose_response }: RunSummary, arm: ArmSummary): Child {
  const { validation } = arm;
  return [
    validation === null ? null : block(t("checks"), sentenceList(validationSentences(validation))),
    validation === null || validation.confusion.length === 0
      ? null
      : [
          table(t("checks"), CONFUSION_HEADERS, confusionRows(validation.confusion)),
          confusionNotes(validation).map((note) => h("p", { class: "faint" }, phrase(note))),
        ],
    counts(t("claim_checks"), CLAIM_CHECK_HEADERS, arm.claim_checks.map(claimCheckRow)),
    counts(t("line_formats"), LINE_FORMAT_HEADERS, arm.line_formats.map(lineFormatRow)),
    arm.plans === null
      ? null
      : [
          block(t("plans"), sentenceList(planSentences(arm.plans))),
          table(t("plans"), STOPPED_HEADERS, stoppedRows(arm.plans), phrase),
        ],
    dose_response === null ? null : doses(dose_response),
  ];
}

function doses(response: NonNullable<RunSummary["dose_response"]>): Child {
  const { headers, rows } = doseTable(response);
  return [counts(t("doses"), headers, rows), doseSentences(response).map((sentence) => h("p", {}, phrase(sentence)))];
}

function counts(title: string, headers: readonly string[], rows: readonly (readonly string[])[]): Child {
  return rows.length === 0 ? null : block(title, table(title, headers, rows));
}

function block(title: string, content: Child): Child {
  return [h("h3", {}, title), content];
}

/** Headers and words in the reader's language; a name in the first column stays as it is, unless `nameOf` says otherwise. */
function table(
  title: string,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  nameOf: (name: string) => string = String,
): HTMLElement {
  return plainTable(
    title,
    headers.map(phrase),
    rows.map(([name = "", ...cells]) => [nameOf(name), ...cells.map(phrase)]),
  );
}
