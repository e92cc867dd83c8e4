import { groupBy } from "../counting.js";
import { chance, counted, dollars, grouped, percent, points, score3, signed } from "../numbers.js";
import type { TaskClass } from "../task-summary.js";
import type { Comparison, RunLabel, TaskSide } from "./diff.js";
import type { MeasureName, SecondaryRow } from "./diff-secondary.js";

/** What a comparison says in words and numbers, for the terminal and for Markdown. Text from runs is as it is there. */

/** `pass rate 60.0 % → 53.3 %`. */
export function fromTo(comparison: Comparison): string {
  const { metric, base_mean, head_mean } = comparison;
  const name = metric === "score" ? "mean score" : "pass rate";
  const show = metric === "score" ? score3 : percent;
  return `${name} ${show(base_mean)} → ${show(head_mean)}`;
}

/** `−6.7` points of a pass rate, `−0.067` of a score. */
export function deltaText({ metric }: Pick<Comparison, "metric">, change: number | null): string {
  return metric === "score" && change !== null ? signed(change.toFixed(3)) : points(change);
}

/** The headline with what it rests on, then how small an effect could have been seen. */
export function headlineParts(comparison: Comparison): string[] {
  const { delta, stderr, ci95, common, p_sign_flip, sign_flip, p_mcnemar, verdict, metric } = comparison;
  const size = (value: number) => (metric === "score" ? value.toFixed(3) : (value * 100).toFixed(1));
  const error = stderr === null ? "no SE" : `± ${size(stderr)} SE by task`;
  const flips = sign_flip.exact ? "exact" : `${grouped(sign_flip.flips)} flips, seed ${sign_flip.seed}`;
  return [
    `${verdict}: ${fromTo(comparison)}`,
    `Δ ${deltaText(comparison, delta)} (${verdict === "no change" ? "" : `${error}, `}${counted(common, "common task")})`,
    ...(ci95 === null ? [] : [`95 % CI ${ci95.map((end) => deltaText(comparison, end)).join(" … ")}`]),
    ...(verdict === "no change" ? [] : [`sign-flip p ${chance(p_sign_flip)} (${flips})`]),
    ...(p_mcnemar === null || verdict === "no change" ? [] : [`McNemar p ${chance(p_mcnemar)}`]),
  ];
}

/** What the comparison could have seen at all. */
export function powerSentence({ min_visible_effect, verdict, metric }: Comparison): string {
  if (verdict === "no change") return "every common task came out the same on both sides";
  if (min_visible_effect === null) return "too little data to say how small an effect it could have seen";
  const size = metric === "score" ? min_visible_effect.toFixed(3) : `${(min_visible_effect * 100).toFixed(1)} points`;
  return `the smallest effect it would have seen four times in five: ${size}`;
}

const CLASSES: readonly TaskClass[] = ["solid", "flaky", "broken", "incomplete"];

/** `solid 2 → 1`, `flaky 2 → 3`, …; classes without a task are left out. */
export function classParts({ tasks }: Comparison): string[] {
  return CLASSES.flatMap((name) => {
    const count = (side: "base" | "head") => tasks.filter((task) => task[side].class === name).length;
    return count("base") + count("head") === 0 ? [] : [`${name} ${count("base")} → ${count("head")}`];
  });
}

/** `both passed 3`, `both missed 1`, `only base 1`, `only head 0`. */
export function groupParts(comparison: Comparison): string[] {
  const { both_passed, both_missed, only_base, only_head } = comparison;
  return [
    `both passed ${both_passed}`,
    `both missed ${both_missed}`,
    `only base ${only_base}`,
    `only head ${only_head}`,
  ];
}

/** Ids named in one line. */
const MOST_NAMED = 10;

/** One line each for tasks that are not in the comparison. */
export function leftOutLines({ only_in_base, only_in_head, incomparable }: Comparison): string[] {
  const only = (side: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`only in ${side}: ${named(ids)} (${ids.length})`];
  const reasons = groupBy(incomparable, ({ why }) => why);
  return [
    ...only("base", only_in_base),
    ...only("head", only_in_head),
    ...[...reasons].map(
      ([why, tasks]) => `not comparable, ${why}: ${named(tasks.map(({ task_id }) => task_id))} (${tasks.length})`,
    ),
  ];
}

function named(ids: readonly string[]): string {
  return ids.length <= MOST_NAMED ? ids.join(", ") : `${ids.slice(0, MOST_NAMED).join(", ")}, …`;
}

/** `run-1`, with its arm where that says something. */
export function sideName(run: string, arm: string, comparison: Comparison): string {
  return comparison.base_arm === "main" && comparison.head_arm === "main" ? run : `${run} ${arm}`;
}

/** `demo · lexical/lexical · react · commit 0f3e9a1`. */
export function labelParts({ suite, model, strategy, commit, shard, started_at }: RunLabel): string[] {
  return [
    suite,
    model,
    strategy,
    ...(commit === null ? [] : [`commit ${commit}`]),
    ...(shard === null ? [] : [`shard ${shard}`]),
    started_at.slice(0, 16).replace("T", " "),
  ];
}

/** Changes shown of two profiles. */
const MOST_CHANGES = 8;

/** `model.temperature 0.2 → 0`, …; empty where the profiles are the same. */
export function profileParts({ profile_changes }: Comparison): string[] {
  const shown = profile_changes
    .slice(0, MOST_CHANGES)
    .map(({ key, before, after }) => `${key} ${valueText(before)} → ${valueText(after)}`);
  const more = profile_changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${counted(more, "key")} more`] : [])];
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "absent");
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}

/** `2/3`; valid trials without a score are in no rate. */
export function countsOf({ passes, scored }: TaskSide): string {
  return `${passes}/${scored}`;
}

/** `solid → broken`, or the one class of both. */
export function classChange(base: TaskSide, head: TaskSide): string {
  return base.class === head.class ? base.class : `${base.class} → ${head.class}`;
}

const MEASURES: Readonly<Record<MeasureName, { readonly label: string; readonly show: (value: number) => string }>> = {
  claims: { label: "claims kept", show: percent },
  red_claims: { label: "red claims a trial", show: (value) => value.toFixed(2) },
  discipline: { label: "required lines kept", show: percent },
  cost_usd: { label: "cost a trial", show: dollars },
  tokens: { label: "tokens a trial", show: (value) => grouped(Math.round(value)) },
  seconds: { label: "seconds a trial", show: (value) => value.toFixed(1) },
  steps: { label: "steps a trial", show: (value) => value.toFixed(1) },
};

export const SECONDARY_HEADERS: readonly string[] = ["beside it", "base", "head", "Δ", "± SE", "p (Holm)", "tasks"];

/** Texts of a row under `SECONDARY_HEADERS`. */
export function secondaryCells(row: SecondaryRow): string[] {
  const { label, show } = MEASURES[row.measure];
  const delta = row.delta === 0 ? show(0) : `${row.delta < 0 ? "−" : "+"}${show(Math.abs(row.delta))}`;
  const error = row.stderr === null ? "–" : show(row.stderr);
  return [label, show(row.base), show(row.head), delta, error, chance(row.p_holm), String(row.tasks)];
}
