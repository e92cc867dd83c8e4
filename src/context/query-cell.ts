import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBGeometryValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
} from "@duckdb/node-api";

/**
 * A value as a CSV should hold it; null for SQL NULL. Exact numbers keep all their digits, doubles have the shortest text that reads
 * back as the same double, dates are ISO, timestamps `YYYY-MM-DD HH:MM:SS[.fff]` (those with a zone in UTC, `+00`), booleans
 * true/false, lists, structs and maps JSON, blobs hex. `type` is the value's DuckDB type.
 */
export function cellText(value: DuckDBValue, type: DuckDBType | undefined): string | null {
  if (value === null) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value, type);
  if (value instanceof DuckDBBlobValue || value instanceof DuckDBGeometryValue) {
    return Buffer.from(value.bytes).toString("hex");
  }
  if (value instanceof DuckDBUnionValue) return cellText(value.value, undefined);
  if (value instanceof DuckDBVariantValue) return cellText(value.value, value.type);
  if (isNested(value)) return jsonText(value, type);
  return timeText(value) ?? String(value);
}

/** Infinite and missing numbers have DuckDB's names, since JSON and JavaScript have none that others read. */
function numberText(value: number, type: DuckDBType | undefined): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (type?.typeId !== DuckDBTypeId.FLOAT) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** DuckDB's largest and smallest day stand for the infinite dates. */
const INFINITE_DAYS = 2 ** 31 - 1;

/** Dates and timestamps; undefined for every other value. */
function timeText(value: DuckDBValue): string | undefined {
  if (value instanceof DuckDBDateValue) {
    if (Math.abs(value.days) === INFINITE_DAYS) return value.days > 0 ? "infinity" : "-infinity";
    return value.toString();
  }
  if (value instanceof DuckDBTimestampTZValue) {
    // The library would print the machine's zone: rows must not depend on where they are read.
    const text = wholeFraction(new DuckDBTimestampValue(value.micros).toString());
    return value.isFinite ? `${text}+00` : text;
  }
  if (
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  ) {
    return wholeFraction(value.toString());
  }
  return undefined;
}

/** `.5` → `.500`: a fraction of seconds has three, six or nine digits. */
function wholeFraction(text: string): string {
  return text.replace(/\.(\d+)/, (_all, digits: string) => `.${digits.padEnd(Math.ceil(digits.length / 3) * 3, "0")}`);
}

type NestedValue = DuckDBListValue | DuckDBArrayValue | DuckDBStructValue | DuckDBMapValue;

function isNested(value: DuckDBValue): value is NestedValue {
  return (
    value instanceof DuckDBListValue ||
    value instanceof DuckDBArrayValue ||
    value instanceof DuckDBStructValue ||
    value instanceof DuckDBMapValue
  );
}

/** JSON text of a value inside a list, struct or map. Written by hand because JSON.stringify has no exact integers and decimals. */
function jsonText(value: DuckDBValue, type: DuckDBType | undefined): string {
  if (value === null) return "null";
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    const inner = type instanceof DuckDBListType || type instanceof DuckDBArrayType ? type.valueType : undefined;
    return `[${value.items.map((item) => jsonText(item, inner)).join(",")}]`;
  }
  if (value instanceof DuckDBStructValue) {
    const inner = type instanceof DuckDBStructType ? type : undefined;
    const members = Object.entries(value.entries).map(
      ([key, member]) => `${JSON.stringify(key)}:${jsonText(member, inner?.typeForEntry(key))}`,
    );
    return `{${members.join(",")}}`;
  }
  if (value instanceof DuckDBMapValue) {
    const [keyType, valueType] = type instanceof DuckDBMapType ? [type.keyType, type.valueType] : [];
    const members = value.entries.map(
      (entry) => `${JSON.stringify(cellText(entry.key, keyType) ?? "null")}:${jsonText(entry.value, valueType)}`,
    );
    return `{${members.join(",")}}`;
  }
  if (value instanceof DuckDBUnionValue) return jsonText(value.value, undefined);
  if (value instanceof DuckDBVariantValue) return jsonText(value.value, value.type);
  const text = cellText(value, type) ?? "null";
  return isJsonLiteral(value, text) ? text : JSON.stringify(text);
}

function isJsonLiteral(value: DuckDBValue, text: string): boolean {
  if (typeof value === "string") return false;
  return typeof value === "boolean" || /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/.test(text);
}
