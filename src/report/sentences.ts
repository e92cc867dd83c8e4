import type { ArmSummary } from "./arm-summary.js";
import { counted, dollars, grouped, half, percent, score3, seconds } from "./numbers.js";
import { planSentences } from "./plan-sentences.js";
import { type RequestCounts, requestSentences } from "./request-sentences.js";
import { roleSpending } from "./spending.js";
import type { RunSummary } from "./summary.js";
import { spentPart, validationSentences } from "./validation-sentences.js";

/** Trials that a sentence names. */
const SHOWN_TRIALS = 3;

/**
 * What a report says below its table, as sentences of parts. The first is the people's line of spec/statistics.md:
 * `pass rate 60.0 % ± 19.4 (SE by task, 5 tasks × 3) · 95 % CI 6–100 · pass^3 40.0 % · pass@3 80.0 % · solid 2 flaky 2 broken 1 · infra 0/15`.
 */
export function armSentences(summary: RunSummary, arm: ArmSummary): string[][] {
  return [
    peoplesLine(arm),
    scoreSentence(summary, arm),
    workSentence(arm),
    ...cautions(arm),
    ...validationSentences(arm.validation),
    ...planSentences(arm.plans),
  ].filter((parts) => parts.length > 0);
}

/** What repeats say of the misses, then what makes the numbers smaller, or less sure, than they look; each a sentence of parts. */
export function cautions(arm: ArmSummary): string[][] {
  return [failureSentence(arm), ...excuses(arm), extractorSentence(arm)].filter((parts) => parts.length > 0);
}

/** Where a run came from that did not run here, in words; nothing for the others. */
export function originParts({ replay_of, imported_from }: RunSummary): string[] {
  return [
    ...(replay_of === null ? [] : [`a replay of ${replay_of}: nothing was asked or paid`]),
    ...(imported_from === null ? [] : [`imported from ${imported_from.join(", ")}: it ran elsewhere`]),
  ];
}

/** What a reader must know of how the run was made before any number. */
export function reservations({ arms, forced }: RunSummary): string[] {
  const unsafe = arms.some(({ sandbox }) => sandbox.python === "unsafe-none");
  return [
    ...(unsafe ? ["Python ran without a sandbox (tools.python.sandbox: unsafe-none)"] : []),
    ...forced.map((difference) => `forced: ${difference}`),
  ];
}

/** The headline with its n, its interval, and what does not count in it. */
export function peoplesLine(arm: ArmSummary): string[] {
  return [
    headline(arm),
    interval(arm),
    ...(arm.repeats === 1 ? [] : passK(arm)),
    classes(arm),
    ...bracket(arm),
    `infra ${arm.infra}/${arm.planned_trials}`,
    ...(arm.not_run > 0 ? [`not run ${arm.not_run}/${arm.planned_trials}`] : []),
  ];
}

function headline(arm: ArmSummary): string {
  const all = arm.tasks.length;
  const tasks = arm.rated_tasks === all ? counted(all, "task") : `${arm.rated_tasks} of ${counted(all, "task")}`;
  const name = arm.metric === "score" ? "mean score" : "pass rate";
  const value = arm.metric === "score" ? score3(arm.mean) : percent(arm.mean);
  if (arm.stderr === null) return `${name} ${value} (no SE, ${tasks} × ${arm.repeats})`;
  const error = arm.metric === "score" ? score3(arm.stderr) : (arm.stderr * 100).toFixed(1);
  return `${name} ${value} ± ${error} (SE by task, ${tasks} × ${arm.repeats})`;
}

function interval(arm: ArmSummary): string {
  if (arm.ci95 === null) return arm.rated_tasks === 0 ? "no interval: nothing scored" : "no interval from one task";
  const [low, high] = arm.ci95;
  const shown =
    arm.metric === "score"
      ? `${low.toFixed(2)}–${high.toFixed(2)}`
      : `${Math.round(low * 100)}–${Math.round(high * 100)}`;
  return `95 % CI ${shown}${arm.ci95_method === "wilson" ? " (Wilson)" : ""}`;
}

function passK(arm: ArmSummary): string[] {
  const k = String(arm.repeats);
  const tasks = arm.pass_k_tasks[k] ?? 0;
  const of = tasks === arm.tasks.length ? "" : ` (${tasks} of ${counted(arm.tasks.length, "task")})`;
  return [
    `pass^${k} ${percent(arm.pass_hat_k[k] ?? null)}${of}`,
    `pass@${k} ${percent(arm.pass_at_k[k] ?? null)}${of}`,
  ];
}

function classes(arm: ArmSummary): string {
  const sometimes = [
    ["incomplete", arm.incomplete],
    ["unscored", arm.unscored],
  ] as const;
  return [
    `solid ${arm.solid} flaky ${arm.flaky} broken ${arm.broken}`,
    ...sometimes.flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : [])),
  ].join(" ");
}

/** Both brackets where trials are lacking, so that a rate of the valid ones alone never stands bare. */
function bracket(arm: ArmSummary): string[] {
  if (arm.infra + arm.not_run === 0) return [];
  const show = arm.metric === "score" ? score3 : percent;
  const what = arm.not_run === 0 ? "errors" : arm.infra === 0 ? "trials not run" : "errors and trials not run";
  return [`valid only ${show(arm.mean)}, ${what} as misses ${show(arm.mean_errors_as_misses)}`];
}

/** Lenient and strict scorers side by side, with what the pass depends on. */
function scoreSentence({ scoring }: RunSummary, arm: ArmSummary): string[] {
  const scorers = arm.scorers.map(
    (one) => `${one.scorer} ${score3(one.mean_score)} (perfect ${percent(one.perfect_rate)})`,
  );
  if (scorers.length === 0) return [];
  const rule =
    scoring.pass_min_score === null
      ? `pass = perfect by ${scoring.primary}`
      : `pass = at least ${scoring.pass_min_score} by ${scoring.primary}`;
  const applied = new Set(arm.scorers.flatMap(({ penalties }) => penalties));
  const penalties = applied.size === 0 ? [scoring.penalty] : [...applied];
  return [`mean score ${scorers.join(" · ")}`, rule, `λ ${penalties.join(", ")}`, `names ${scoring.names}`];
}

function workSentence(arm: ArmSummary): string[] {
  const same =
    arm.agreement === null
      ? []
      : [
          `same answer in ${percent(arm.agreement)} of repeat pairs (${counted(arm.agreement_tasks, "task")}), always in ${arm.agreement_unanimous}`,
        ];
  return [
    `median ${half(arm.median_steps)} steps, ${seconds(arm.median_seconds)} s a trial`,
    tokens(arm),
    cost(arm),
    ...same,
  ];
}

/** What repeats can be looked into; what does not is noise. */
function failureSentence({ stable_failures, noisy_failures }: ArmSummary): string[] {
  const tasks = stable_failures + noisy_failures;
  if (tasks === 0) return [];
  return [
    `${counted(tasks, "task")} missed twice or more`,
    `${stable_failures} the same way each time (stable)`,
    `${noisy_failures} in different ways (noisy)`,
  ];
}

function tokens({ usage, requests }: ArmSummary): string {
  if (nobodyWasPaid(requests)) return "no tokens used";
  if (usage.input_tokens === null && usage.output_tokens === null) return "tokens not reported";
  const part = (count: number | null) => (count === null ? "unknown" : grouped(count));
  const cached = usage.cached_tokens ? ` (${grouped(usage.cached_tokens)} cached)` : "";
  return `tokens ${part(usage.input_tokens)} in${cached}, ${part(usage.output_tokens)} out`;
}

function cost({ cost_usd, unpriced_trials, requests }: ArmSummary): string {
  if (nobodyWasPaid(requests)) return "no cost";
  if (cost_usd === null) return "cost unknown (no price)";
  return `cost ${dollars(cost_usd)}${unpriced_trials > 0 ? ` and unknown for ${counted(unpriced_trials, "trial")}` : ""}`;
}

/** Every response came from the response cache. */
const nobodyWasPaid = (requests: RequestCounts): boolean => (requests.cached ?? 0) > 0 && (requests.ok ?? 0) === 0;

/** What reading prose into tables took, which is in the sums above. */
function extractorSentence({ usage }: ArmSummary): string[] {
  const spent = roleSpending(usage.by_purpose.filter(({ purpose }) => purpose === "extractor"));
  return spent === null ? [] : [spentPart("extractor", spent)];
}

/** What makes the numbers above smaller, or less sure, than they look. One sentence each, only where it applies. */
function excuses(arm: ArmSummary): string[][] {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => `${name} ×${count}`);
  const unscored = arm.tasks.filter(({ marks }) => marks.includes("unscored"));
  return [
    arm.infra > 0
      ? [`infrastructure: ${list(arm.infra_classes).join(", ")}`, "not the agent's fault, counted beside the rate"]
      : [],
    arm.unscored_trials > 0
      ? [
          `NOT SCORED: ${counted(arm.unscored_trials, "trial")} of ${counted(unscored.length, "task")}, in no rate`,
          ...list(arm.unscored_reasons),
        ]
      : [],
    arm.missing > 0 ? [`${counted(arm.missing, "trial")} without a prediction count as misses`] : [],
    arm.invalid > 0 ? [`${counted(arm.invalid, "trial")} with an unreadable prediction count as misses`] : [],
    arm.flagged_trials.length > 0
      ? [
          `integrity: ${list(arm.integrity).join(", ")}`,
          `in ${firstOf(arm.flagged_trials)}`,
          "what each means: docs/security.md",
        ]
      : [],
    arm.forced_answers > 0 ? [`${counted(arm.forced_answers, "answer")} in the forced last turn`] : [],
    ...requestSentences(arm),
  ].filter((sentence) => sentence.length > 0);
}

/** `task_1#1, task_2#3 and 4 more` */
function firstOf(names: readonly string[]): string {
  const more = names.length - SHOWN_TRIALS;
  return `${names.slice(0, SHOWN_TRIALS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
