import type { ArmSummary } from "../../arm-summary.js";
import { CONFUSION_HEADERS, CONFUSION_NOTE, confusionRows } from "../../confusion-table.js";
import { doseSentences, doseTable } from "../../dose-response.js";
import { CLAIM_CHECK_HEADERS, claimCheckRow, LINE_FORMAT_HEADERS, lineFormatRow } from "../../own-checks.js";
import type { RunSummary } from "../../summary.js";
import { validationSentences } from "../../validation-sentences.js";
import { type Child, h, plainTable } from "./dom.js";
import { phrase, t } from "./strings.js";

/** What checks of evidence, claims and lines came to in one arm; nothing where there were none. */
export function checksView({ dose_response }: RunSummary, arm: ArmSummary): Child {
  const { validation } = arm;
  return [
    validation === null
      ? null
      : block(
          t("checks"),
          h(
            "ul",
            {},
            validationSentences(validation).map((parts) => h("li", {}, parts.map(phrase).join(" · "))),
          ),
        ),
    validation === null || validation.confusion.length === 0
      ? null
      : [
          table(t("checks"), CONFUSION_HEADERS, confusionRows(validation.confusion)),
          h("p", { class: "faint" }, phrase(CONFUSION_NOTE)),
        ],
    counts(t("claim_checks"), CLAIM_CHECK_HEADERS, arm.claim_checks.map(claimCheckRow)),
    counts(t("line_formats"), LINE_FORMAT_HEADERS, arm.line_formats.map(lineFormatRow)),
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

function block(title: string, content: HTMLElement): Child {
  return [h("h3", {}, title), content];
}

/** Headers and words in the reader's language; a name in the first column stays as it is. */
function table(title: string, headers: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  return plainTable(
    title,
    headers.map(phrase),
    rows.map(([name = "", ...cells]) => [name, ...cells.map(phrase)]),
  );
}
