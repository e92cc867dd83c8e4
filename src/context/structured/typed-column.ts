import { Decimal } from "decimal.js";
import type { OverlayType } from "../../core/overlay.js";
import { type Quantity, quantityOf, unitInName, unitOf } from "./units.js";
import { isoDate } from "./written-date.js";

/** A field's values as one column of SQL. */
export interface TypedColumn {
  readonly type: OverlayType;
  /** Unit of all numbers; null where there is none. */
  readonly unit: string | null;
  /**
   * How the values were written, where that is not in `unit`: number × factor = number in `unit`. A null factor: dates that were written otherwise,
   * `written` is the first of them.
   */
  readonly converted: readonly { readonly written: string; readonly values: number; readonly factor: string | null }[];
  /** Why numbers were left as text; null where none were. */
  readonly left_as_text: string | null;
  /** In the order given; null where the record does not have the field. */
  readonly cells: readonly (string | null)[];
}

/**
 * Gives a field's texts a type: numbers in one unit (that of the field's name, else the most frequent, of equals the first), dates
 * (brought to YYYY-MM-DD from forms that can be read in one way only), else text as written. Conversion is exact decimal arithmetic. Never guesses: one value that does not fit leaves all as text.
 */
export function typedColumn(field: string, cells: readonly (string | null)[]): TypedColumn {
  const texts = cells.filter((cell) => cell !== null);
  const asText = (left_as_text: string | null): TypedColumn => ({
    type: "VARCHAR",
    unit: null,
    converted: [],
    left_as_text,
    cells,
  });
  if (texts.length === 0) return asText(null);
  const dates = texts.map(isoDate);
  if (dates.every((date) => date !== null)) return asDates(texts, cells);
  const quantities = texts.map(quantityOf);
  const numbers = quantities.filter((quantity) => quantity !== null);
  if (numbers.length < texts.length) {
    return asText(
      mostlyOther(texts, quantities, "are no number of a known unit") ?? mostlyOther(texts, dates, "are no full date"),
    );
  }
  const named = unitInName(field);
  const units = numbers.map(({ unit }) => unit ?? named);
  const unit = named ?? mostFrequent(units);
  const bare = units.filter((one) => one === null).length;
  if (bare > 0 && bare < units.length) return asText(`${bare} of ${units.length} numbers have no unit`);
  const kinds = [...new Set(units.map((one) => (one === null ? "" : unitOf(one)?.kind)))];
  if (kinds.length > 1) return asText(`the units are of different kinds: ${[...new Set(units)].join(", ")}`);
  return inOneUnit(numbers, units, unit, cells);
}

function inOneUnit(
  numbers: readonly Quantity[],
  units: readonly (string | null)[],
  unit: string | null,
  cells: readonly (string | null)[],
): TypedColumn {
  const values = numbers.map(({ number }, index) => new Decimal(number).times(factorTo(units[index] ?? null, unit)));
  const whole = values.every((value) => value.isInteger() && value.abs().lt(1e15));
  const rest = values.map((value) => value.toString()).values();
  const others = [...new Set(units)].filter((one) => one !== null && one !== unit);
  return {
    type: whole ? "BIGINT" : "DOUBLE",
    unit,
    converted: others.flatMap((written) =>
      written === null
        ? []
        : [
            {
              written,
              values: units.filter((one) => one === written).length,
              factor: factorTo(written, unit).toString(),
            },
          ],
    ),
    left_as_text: null,
    cells: cells.map((cell) => (cell === null ? null : (rest.next().value ?? null))),
  };
}

function factorTo(from: string | null, to: string | null): Decimal {
  const [a, b] = [from === null ? null : unitOf(from), to === null ? null : unitOf(to)];
  return a === null || b === null ? new Decimal(1) : new Decimal(a.factor).div(b.factor);
}

function mostFrequent(units: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const unit of units) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  let best: string | null = null;
  for (const [unit, count] of counts) if (unit !== null && count > (counts.get(best) ?? 0)) best = unit;
  return best;
}

/** Why texts are not what most of them are, by the first that was not `read` as it; null where most are something else anyway. */
function mostlyOther(texts: readonly string[], read: readonly unknown[], what: string): string | null {
  const others = read.filter((one) => one === null).length;
  if (others * 2 >= texts.length) return null;
  const odd = texts[read.indexOf(null)] ?? "";
  return `${others} of ${texts.length} values ${what}, such as ${JSON.stringify(odd.slice(0, 60))}`;
}

function asDates(texts: readonly string[], cells: readonly (string | null)[]): TypedColumn {
  const others = texts.filter((text) => isoDate(text) !== text);
  const [written] = others;
  return {
    type: "DATE",
    unit: null,
    converted: written === undefined ? [] : [{ written, values: others.length, factor: null }],
    left_as_text: null,
    cells: cells.map((cell) => (cell === null ? null : isoDate(cell))),
  };
}
