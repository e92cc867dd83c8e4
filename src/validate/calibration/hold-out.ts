import { digestOf } from "../../core/digest.js";
import { UsageError } from "../../core/errors.js";
import type { Example, Label } from "./example.js";

/**
 * Examples with `count` good and `count` bad ones held out, those that are marked so first; the others are picked by the digest of what they
 * hold, so that neither their order nor a new example moves the choice of the rest. Null: only those that are marked. Throws UsageError where
 * nothing would be left to choose a threshold by.
 */
export function holdOut(examples: readonly Example[], count: number | null): readonly Example[] {
  if (count === null) return examples;
  const picked = new Set([...pick(examples, "good", count), ...pick(examples, "bad", count)]);
  return examples.map((example) => ({ ...example, held_out: picked.has(example) }));
}

function pick(examples: readonly Example[], label: Label, count: number): readonly Example[] {
  const own = examples.filter((example) => example.label === label);
  if (own.length > 0 && own.length <= count) {
    throw new UsageError(`--holdout ${count}: there are only ${own.length} ${label} examples; some must be left`);
  }
  const marked = own.filter(({ held_out }) => held_out);
  const others = own
    .filter(({ held_out }) => !held_out)
    .map((example) => ({ example, key: digestOf(example.judged) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ example }) => example);
  return [...marked, ...others.slice(0, Math.max(0, count - marked.length))];
}
