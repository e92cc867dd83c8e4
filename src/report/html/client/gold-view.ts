import type { GoldColumn, GoldComparison, RowCell } from "../page-data.js";
import { h, plainTable } from "./dom.js";
import { t } from "./strings.js";

/** The answer beside gold, a row a gold column: which matched, and where the others first differ. */
export function goldView({ gold_rows, predicted_rows, columns, extra }: GoldComparison): HTMLElement {
  return h(
    "section",
    { "aria-labelledby": "gold" },
    h("h3", { id: "gold" }, t("gold")),
    h("p", {}, `${predicted_rows} / ${gold_rows} ${t("rows")}`),
    plainTable(
      t("gold"),
      [t("gold_column"), t("status"), t("predicted_column"), t("missing_rows"), t("surplus_rows")],
      columns.map((column) => [
        column.gold,
        h("span", { class: `mark ${column.matched ? "good" : "bad"}` }, statusOf(column)),
        column.predicted ?? "",
        cells(column.missing),
        cells(column.surplus),
      ]),
    ),
    extra.length === 0 ? null : h("p", {}, `${t("extra_columns")}: ${extra.join(", ")}`),
  );
}

function statusOf({ matched }: GoldColumn): string {
  return matched ? `✓ ${t("matched")}` : `✗ ${t("differs")}`;
}

function cells(list: readonly RowCell[]): HTMLElement {
  return h(
    "ul",
    { class: "cells" },
    list.map(({ row, cell }) => h("li", {}, h("span", { class: "faint" }, `${t("row")} ${row}: `), cell)),
  );
}
