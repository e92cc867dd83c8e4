import { createHash } from "node:crypto";

export interface Candidate<Option> {
  readonly option: Option;
  /** How it is called in the log. */
  readonly label: string;
  readonly score: number;
}

/** One decision between readings, as it goes into the log. */
export interface SlotRecord {
  readonly slot: string;
  readonly chosen: string;
  readonly candidates: readonly { readonly label: string; readonly score: number }[];
}

/** Decides between competing readings of each slot of a question. */
export interface Chooser {
  /** The best candidate, or, at a temperature, one drawn by score; null only for no candidates. */
  choose<Option>(slot: string, candidates: readonly Candidate<Option>[]): Option | null;
  readonly records: readonly SlotRecord[];
}

export interface ChooserOptions {
  /** 0 or null takes the best. */
  readonly temperature: number | null;
  readonly seed: number | null;
  /** Slot → how many of its best candidates are passed over: other readings after one has failed. */
  readonly passOver: ReadonlyMap<string, number>;
}

/** Candidates that score this much below the best do not compete. */
const REACH = 0.35;

/** The same options give the same decisions, whatever else was asked before. */
export function createChooser(options: ChooserOptions): Chooser {
  const records = new Map<string, SlotRecord>();
  return {
    choose(slot, candidates) {
      const sorted = [...candidates].sort((left, right) => right.score - left.score);
      const best = sorted[0];
      if (best === undefined) return null;
      const competing = sorted.filter((candidate) => candidate.score >= best.score - REACH);
      const skipped = competing.slice(Math.min(options.passOver.get(slot) ?? 0, competing.length - 1));
      const chosen = options.passOver.has(slot) ? (skipped[0] ?? best) : draw(slot, competing, options);
      records.set(slot, record(slot, chosen, competing));
      return chosen.option;
    },
    get records() {
      return [...records.values()];
    },
  };
}

function draw<Option>(slot: string, sorted: readonly Candidate<Option>[], options: ChooserOptions): Candidate<Option> {
  const best = sorted[0];
  if (best === undefined) throw new Error("a draw without candidates");
  const temperature = options.temperature ?? 0;
  if (temperature <= 0 || sorted.length === 1) return best;
  const weights = sorted.map((candidate) => Math.exp((candidate.score - best.score) / (temperature * 0.25)));
  let left = fraction(options.seed ?? 0, slot) * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, candidate] of sorted.entries()) {
    left -= weights[index] ?? 0;
    if (left < 0) return candidate;
  }
  return best;
}

/** A number in [0, 1) that depends on seed and slot alone. */
function fraction(seed: number, slot: string): number {
  const digest = createHash("sha256").update(`${seed}\n${slot}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

function record<Option>(slot: string, chosen: Candidate<Option>, sorted: readonly Candidate<Option>[]): SlotRecord {
  return {
    slot,
    chosen: chosen.label,
    candidates: sorted.slice(0, 6).map(({ label, score }) => ({ label, score: Math.round(score * 1000) / 1000 })),
  };
}
