/** Numbers as people read them; `–` where a number is undefined. */

export const UNDEFINED = "–";

/** 0.6 → `60.0 %`. */
export function percent(rate: number | null): string {
  return rate === null ? UNDEFINED : `${(rate * 100).toFixed(1)} %`;
}

/** A change of a rate or score in hundredths: 0.067 → `+6.7`, −0.067 → `−6.7`, 0 → `0.0`. */
export function points(change: number | null): string {
  return change === null ? UNDEFINED : signed((change * 100).toFixed(1));
}

/** `1.5` → `+1.5`, `-1.5` → `−1.5`; what is zero has no sign. */
export function signed(text: string): string {
  if (Number(text) === 0) return text.replace("-", "");
  return text.startsWith("-") ? `−${text.slice(1)}` : `+${text}`;
}

/** A chance: 0.0123 → `.012`, 1 → `1.000`. */
export function chance(p: number | null): string {
  if (p === null) return UNDEFINED;
  return p < 0.0005 ? "< .001" : p.toFixed(3).replace(/^0/, "");
}

/** A score of 0 … 1 with three digits. */
export function score3(value: number | null): string {
  return value === null ? UNDEFINED : value.toFixed(3);
}

/** 1234567 → `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** 12.34 → `12.3`, 0.05 → `0.05`: enough digits to tell short times apart. */
export function seconds(value: number | null): string {
  if (value === null) return UNDEFINED;
  return value.toFixed(value < 1 ? 2 : value < 100 ? 1 : 0);
}

/** Half steps occur in medians: 4 → `4`, 4.5 → `4.5`. */
export function half(value: number | null): string {
  return value === null ? UNDEFINED : Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** US dollars: two digits, more where the amount is small. */
export function dollars(value: number): string {
  return `$${value >= 1 ? value.toFixed(2) : value >= 0.01 ? value.toFixed(3) : value === 0 ? "0" : value.toPrecision(2)}`;
}

/** `1 task`, `2 tasks`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Bytes as a person sizes them, powers of 1,024. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(count) / 10), units.length);
  const amount = count / 1024 ** power;
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${units[power - 1]}`;
}
