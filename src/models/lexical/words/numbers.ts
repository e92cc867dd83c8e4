const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  billion: 1e9,
};
const ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");

/** Value of one number word (`seven`, `forty`); null if it is none. */
export function numberWord(word: string): number | null {
  const unit = UNITS.indexOf(word);
  if (unit >= 0) return unit;
  const ten = TENS.indexOf(word);
  return ten >= 2 ? ten * 10 : null;
}

/** Factor of a scale word (`million`); null if it is none. */
export function scaleWord(word: string): number | null {
  return SCALES[word] ?? null;
}

/** Place of an ordinal word or of a number with its ending (`second`, `2nd` as `2` + `nd`); null if it is none. */
export function ordinalWord(word: string): number | null {
  const place = ORDINALS.indexOf(word);
  if (place > 0) return place;
  const digits = /^(\d+)(st|nd|rd|th)$/.exec(word)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Reads `1,234.5` as a number; null for anything else. */
export function plainNumber(text: string): number | null {
  const bare = text.replaceAll(",", "");
  return /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : null;
}

/** Unit words that may follow a number, with the words of columns that are measured in them. */
const UNIT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  cm: ["cm", "height", "length", "width"],
  centimeter: ["cm", "height", "length", "width"],
  m: ["m", "height", "length", "depth", "altitude", "elevation"],
  meter: ["m", "height", "length", "depth", "altitude", "elevation"],
  mm: ["mm", "rain", "length"],
  km: ["km", "distance", "length", "range"],
  kilometer: ["km", "distance", "length", "range"],
  mile: ["mile", "distance"],
  kg: ["kg", "weight", "mass"],
  kilogram: ["kg", "weight", "mass"],
  pound: ["weight", "lb", "price"],
  lb: ["lb", "weight"],
  ton: ["ton", "weight", "mass", "tonnage"],
  year: ["age", "year", "experience"],
  month: ["duration", "month"],
  day: ["day", "duration"],
  hour: ["hour", "duration", "time"],
  minute: ["minute", "duration", "time"],
  second: ["second", "duration", "time"],
  dollar: ["price", "cost", "amount", "salary", "usd", "revenue", "budget"],
  usd: ["price", "cost", "amount", "salary", "usd", "revenue", "budget"],
  euro: ["price", "cost", "amount", "eur"],
  percent: ["percent", "rate", "pct", "percentage", "share"],
  degree: ["temperature", "temp", "degree"],
  celsius: ["temperature", "temp", "celsius"],
  point: ["point", "score"],
};

const OTHER_UNITS = new Set(
  "mg g ml l liter litr gb mb kb kwh mwh mw kw watt ft foot feet inch acr hectar oz ounc gallon calori kcal mph kmh knot hz ghz mhz week quarter time".split(
    " ",
  ),
);

/** Whether a stem is a unit, known to columns or not. */
export function isUnit(stemmed: string): boolean {
  return OTHER_UNITS.has(stemmed) || unitColumns(stemmed).length > 0;
}

/** Words of columns that a unit speaks for; empty if the word is no unit. `stemmed` is a stem. */
export function unitColumns(stemmed: string): readonly string[] {
  return UNIT_COLUMNS[stemmed] ?? UNIT_COLUMNS[`${stemmed}e`] ?? [];
}
