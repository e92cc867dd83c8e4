import { counted, grouped, percent, UNDEFINED } from "./numbers.js";
import type { PlanSummary, Stopped } from "./plan-summary.js";

/** What plans came to, as sentences of parts; none where no trial had one. */
export function planSentences(plans: PlanSummary | null): string[][] {
  return plans === null ? [] : [verificationSentence(plans), slimmingSentence(plans)];
}

function verificationSentence(plans: PlanSummary): string[] {
  const degraded = Object.entries(plans.degraded).map(([reason, trials]) => `${reason} ${trials}`);
  return [
    `verification: ${plans.passed} of ${counted(plans.verdicts, "verdict")} passed`,
    `${counted(plans.rounds, "round")}, ${counted(plans.replans, "replan")} in ${counted(plans.trials, "trial")}`,
    ...(plans.reused > 0 ? [`${counted(plans.reused, "output")} reused`] : []),
    ...(degraded.length > 0 ? [`NOT FULLY VERIFIED: ${degraded.join(", ")}`] : []),
  ];
}

function slimmingSentence({ requests, shown_tokens, full_tokens }: PlanSummary): string[] {
  if (full_tokens === 0) return [];
  const saved = full_tokens - shown_tokens;
  return [
    `earlier work in ${counted(requests, "executor request")}: ${grouped(shown_tokens)} tokens shown for ${grouped(full_tokens)}, ${percent(saved / full_tokens)} saved`,
  ];
}

export const STOPPED_HEADERS: readonly string[] = ["verification stopped at", "verdicts", "share"];

/** A row a layer and reason, with empty tool results beside them: of all verdicts and of all results. */
export function stoppedRows(plans: PlanSummary | null): string[][] {
  if (plans === null) return [];
  return [
    ...plans.stopped.map((one) => [nameOf(one), String(one.count), share(one.count, plans.verdicts)]),
    ["empty tool results", String(plans.empty_results), share(plans.empty_results, plans.evidence)],
  ];
}

export const COMPARED_STOPS_HEADERS: readonly string[] = ["verification stopped at", "base", "head"];

/** The same of two runs, side by side; nothing where neither had plans. */
export function comparedStops(base: PlanSummary | null, head: PlanSummary | null): string[][] {
  if (base === null && head === null) return [];
  const names = new Map([...(base?.stopped ?? []), ...(head?.stopped ?? [])].map((one) => [nameOf(one), one]));
  const cell = (plans: PlanSummary | null, wanted: Stopped) => {
    if (plans === null) return UNDEFINED;
    const count = plans.stopped.find((one) => nameOf(one) === nameOf(wanted))?.count ?? 0;
    return `${count} (${share(count, plans.verdicts)})`;
  };
  const empty = (plans: PlanSummary | null) =>
    plans === null ? UNDEFINED : `${plans.empty_results} (${share(plans.empty_results, plans.evidence)})`;
  const total = (plans: PlanSummary | null) => (plans === null ? UNDEFINED : `${plans.passed} of ${plans.verdicts}`);
  return [
    ["verdicts passed", total(base), total(head)],
    ...[...names].map(([name, one]) => [name, cell(base, one), cell(head, one)]),
    ["empty tool results", empty(base), empty(head)],
  ];
}

const nameOf = ({ layer, reason }: Stopped): string => (layer === "none" ? reason : `${layer}: ${reason}`);

const share = (count: number, of: number): string => (of === 0 ? UNDEFINED : percent(count / of));
