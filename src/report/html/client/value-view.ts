import { isRecord } from "../../../core/json.js";
import { isNames, isRows } from "../../table-shape.js";
import { type Child, h, plainTable } from "./dom.js";
import { sqlBlock } from "./sql.js";
import { t } from "./strings.js";

/** Rows of a table that are made; tools send fewer. */
const MOST_ROWS = 200;

/** What a tool returned, or was asked: JSON as tables and lists, anything else as text. */
export function contentView(content: string): HTMLElement {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === "object" && value !== null) return valueView(value);
  } catch {
    // Not JSON: plain text.
  }
  return textBlock(content);
}

export function textBlock(text: string): HTMLElement {
  return h("pre", { tabindex: 0 }, text);
}

/** Any JSON value; `key` is the name that it stands under: SQL is known by it. */
export function valueView(value: unknown, key = ""): HTMLElement {
  if (Array.isArray(value)) return listView(value, key);
  if (isRecord(value)) return recordView(value);
  if (value === null) return h("span", { class: "faint" }, "null");
  const text = plain(value);
  if (/^(sql|query|queries|code)$/.test(key)) return sqlBlock(text);
  return text.includes("\n") || text.length > 200 ? textBlock(text) : h("span", { class: "value" }, text);
}

function recordView(record: Readonly<Record<string, unknown>>): HTMLElement {
  const { columns, rows, sql, ...others } = record;
  if (isNames(columns) && isRows(rows)) {
    return h(
      "div",
      { class: "result" },
      typeof sql === "string" ? h("details", {}, h("summary", {}, "SQL"), sqlBlock(sql)) : null,
      rowsTable(columns, rows),
      h("p", { class: "faint" }, lineOf(others)),
    );
  }
  const fields = Object.entries(record);
  if (fields.length === 0) return h("span", { class: "faint" }, t("none"));
  return h(
    "dl",
    { class: "fields" },
    fields.map(([key, value]) => [h("dt", {}, key), h("dd", {}, valueView(value, key))]),
  );
}

function listView(list: readonly unknown[], key: string): HTMLElement {
  if (list.length === 0) return h("span", { class: "faint" }, t("none"));
  const records = list.filter(isRecord);
  const flat = records.length === list.length && records.every((record) => !isRows(record.rows));
  if (flat) {
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
    return rowsTable(
      names,
      records.map((record) => names.map((name) => record[name])),
    );
  }
  if (list.every((item) => typeof item !== "object") && !/^quer(y|ies)$/.test(key)) {
    return h("span", { class: "value" }, list.map(plain).join(", "));
  }
  return h(
    "div",
    {},
    list.map((item) => valueView(item, key)),
  );
}

/** A table of cells; a cell that is no plain value shows as JSON. */
export function rowsTable(columns: readonly string[], rows: readonly (readonly unknown[])[]): HTMLElement {
  const table = plainTable(
    t("table"),
    columns,
    rows.slice(0, MOST_ROWS).map((row) => row.map(cellView)),
  );
  const more = rows.length - MOST_ROWS;
  return more <= 0 ? table : h("div", {}, table, h("p", { class: "faint" }, `+ ${more}`));
}

function cellView(cell: unknown): Child {
  if (cell === null) return h("span", { class: "faint" }, "NULL");
  if (!Array.isArray(cell)) return isRecord(cell) ? lineOf(cell) : plain(cell);
  return h(
    "ul",
    { class: "cells" },
    cell.map((item) => h("li", {}, isRecord(item) ? lineOf(item) : plain(item))),
  );
}

/** `name: origin · type: VARCHAR` */
function lineOf(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([key, value]) => `${key}: ${plain(value)}`)
    .join(" · ");
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
