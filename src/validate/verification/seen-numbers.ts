import { Decimal } from "decimal.js";
import type { NumberMention, Reading } from "./numbers.js";

const Exact = Decimal.clone({ precision: 120 });

interface Seen extends Reading {
  readonly negative: boolean;
  /** Its size as a double: what tells nearly all values apart. */
  readonly size: number;
}

/** Values that were seen, to be looked up by what a number can mean, rounding included. */
export interface SeenNumbers {
  has(mention: NumberMention): boolean;
}

export function seenNumbers(mentions: readonly NumberMention[]): SeenNumbers {
  const all = mentions.flatMap((mention) => [mention, ...mention.parts]);
  const seen = distinct(all).sort((a, b) => a.size - b.size);
  const holds = (said: Reading, negative: boolean): boolean => {
    const [size, half] = [sizeOf(said), said.places === null ? 0 : 0.5 * 10 ** (said.exponent - said.places)];
    const reach = half + 1e-9 * size;
    for (let at = firstFrom(seen, size - reach); at < seen.length; at++) {
      const value = seen[at];
      if (value === undefined || value.size > size + reach) return false;
      if ((!negative || value.negative) && isWithin(said, value)) return true;
    }
    return false;
  };
  return { has: ({ readings, negative }) => readings.some((reading) => holds(reading, negative)) };
}

function distinct(mentions: readonly NumberMention[]): Seen[] {
  const byKey = new Map<string, Seen>();
  for (const { readings, negative } of mentions) {
    for (const reading of readings) {
      byKey.set(`${negative} ${reading.digits} ${reading.exponent}`, { ...reading, negative, size: sizeOf(reading) });
    }
  }
  return [...byKey.values()];
}

const sizeOf = ({ digits, exponent }: Reading): number => Number(`${digits}e${exponent}`);

/** The first position of a value of at least `least`. */
function firstFrom(seen: readonly Seen[], least: number): number {
  let [low, high] = [0, seen.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seen[middle]?.size ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value that was seen, rounded to the places that are said, is what is said: in exact decimals. */
function isWithin(said: Reading, seen: Reading): boolean {
  const apart = exactly(said).minus(exactly(seen)).abs();
  if (said.places === null) return apart.isZero();
  return apart.lessThanOrEqualTo(new Exact(0.5).times(power(said.exponent - said.places)));
}

const exactly = ({ digits, exponent }: Reading): Decimal => new Exact(digits).times(power(exponent));
const power = (exponent: number): Decimal => new Exact(10).pow(exponent);
