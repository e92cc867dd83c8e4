import type { Spent } from "../models/metered-model.js";
import { counted, dollars, grouped, percent, score3, UNDEFINED } from "../report/numbers.js";
import type { TerminalStyle } from "../report/render-terminal.js";
import { formatTable, type TableCell, type TableColumn } from "../report/text-table.js";
import { oneLine } from "../report/text-width.js";
import { spentPart } from "../report/validation-sentences.js";
import type { Calibration, MissedExample } from "../validate/calibration/calibration.js";
import type { BothRates, Rate } from "../validate/calibration/rates.js";

export interface Gate {
  readonly name: "pass" | "interception";
  /** 0 … 1. */
  readonly least: number;
  readonly found: number;
  readonly failed: boolean;
}

/** What `calibrate` prints: rates, failure modes, histogram, thresholds, what was held out, consistency, and which examples were ruled wrong, what it took. */
export function calibrationLines(
  title: string,
  calibration: Calibration,
  { gates, spent }: { readonly gates: readonly Gate[]; readonly spent: Spent | null },
  style: TerminalStyle,
): string[] {
  const { columns, paint } = style;
  const blocks = [
    [paint.strong(oneLine(title)), examplesLine(calibration)],
    formatTable(RATE_COLUMNS, rateRows(calibration), columns),
    formatTable(HISTOGRAM_COLUMNS, histogramRows(calibration), columns),
    withoutScoreLines(calibration),
    formatTable(THRESHOLD_COLUMNS, thresholdRows(calibration), columns),
    bestLines(calibration),
    heldOutLines(calibration),
    consistencyLines(calibration),
    formatTable(MISSED_COLUMNS, calibration.missed.map(missedRow), columns),
    spent === null ? [] : [spentLine(spent)],
    gates.map((gate) => gateLine(gate, style)),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

function examplesLine({ examples, held_out }: Calibration): string {
  const held = held_out.examples.good + held_out.examples.bad;
  const apart = held === 0 ? "" : `; ${held} held out (${held_out.examples.good} good, ${held_out.examples.bad} bad)`;
  return `${counted(examples.good + examples.bad, "example")}: ${examples.good} good, ${examples.bad} bad${apart}`;
}

const RATE_COLUMNS: readonly TableColumn[] = [
  { header: "rate", align: "left", min: 12 },
  { header: "n", align: "right" },
  { header: "share", align: "right" },
  { header: "95 % interval", align: "left" },
];

function rateRows({ pass, interception, by_failure_mode }: Calibration): TableCell[][] {
  return [
    rateRow("good examples passed", pass),
    rateRow("bad examples intercepted", interception),
    ...by_failure_mode.map((mode) => rateRow(`  ${oneLine(mode.failure_mode)}`, mode)),
  ];
}

const rateRow = (name: string, rate: Rate): TableCell[] =>
  [name, String(rate.n), percent(rate.rate), interval(rate)].map((text) => ({ text }));

const interval = ({ ci95 }: Rate): string => (ci95 === null ? "" : `${percent(ci95[0])} … ${percent(ci95[1])}`);

const HISTOGRAM_COLUMNS: readonly TableColumn[] = [
  { header: "score", align: "left" },
  { header: "good", align: "right" },
  { header: "bad", align: "right" },
  { header: "good #, bad -", align: "left", min: 8, drop: 1 },
];
const BAR = 40;

function histogramRows({ histogram }: Calibration): TableCell[][] {
  const most = Math.max(1, ...histogram.map(({ good, bad }) => good + bad));
  const bar = (count: number, mark: string) => mark.repeat(Math.round((count * Math.min(BAR, most)) / most));
  return histogram.map(({ from, good, bad }) =>
    [`${from.toFixed(1)}–${(from + 0.1).toFixed(1)}`, String(good), String(bad), bar(good, "#") + bar(bad, "-")].map(
      (text) => ({ text }),
    ),
  );
}

function withoutScoreLines({ without_score }: Calibration): string[] {
  const { by_code, malformed, unheard } = without_score;
  const line = (what: string, { good, bad }: typeof by_code) =>
    good + bad === 0 ? [] : [`${what}: ${good} good, ${bad} bad`];
  return [
    ...line("refused by code, before the judge was asked", by_code),
    ...line("malformed verdicts, neither passed nor intercepted", malformed),
    ...line("not heard, in no rate", unheard),
  ];
}

const THRESHOLD_COLUMNS: readonly TableColumn[] = [
  { header: "passed at", align: "right" },
  { header: "good passed", align: "right" },
  { header: "bad intercepted", align: "right" },
  { header: "", align: "left" },
];

function thresholdRows({ thresholds, passed_at, best }: Calibration): TableCell[][] {
  return thresholds.map((row) => {
    const notes = [
      ...(row.passed_at === passed_at ? ["in force"] : []),
      ...(row.passed_at === best ? ["serves best"] : []),
    ];
    return [row.passed_at.toFixed(2), percent(row.pass.rate), percent(row.interception.rate), notes.join(", ")].map(
      (text) => ({ text }),
    );
  });
}

function bestLines({ best, passed_at }: Calibration): string[] {
  if (best === null || best === passed_at) return [];
  return [`verification.passed_at: ${best} would serve these examples better than ${passed_at}`];
}

function heldOutLines({ held_out, passed_at, best }: Calibration): string[] {
  if (held_out.examples.good + held_out.examples.bad === 0) return [];
  const at = (threshold: number | null, rates: BothRates) =>
    `held out${threshold === null ? "" : `, at ${threshold}`}: ${percent(rates.pass.rate)} of ${rates.pass.n} good passed, ${percent(rates.interception.rate)} of ${rates.interception.n} bad intercepted`;
  const others = best === null || best === passed_at ? [] : [at(best, held_out.at_best)];
  return [at(passed_at, held_out), ...others];
}

function consistencyLines({ consistency }: Calibration): string[] {
  const { n, agreement, mixed, score_range } = consistency;
  if (n === 0) return [];
  const range = score_range === null ? "" : `; its scores of one example lie ${score3(score_range)} apart`;
  return [
    `asked again, the judge agrees with itself ${percent(agreement)} (${counted(n, "example")}, ${mixed} ruled both ways)${range}`,
  ];
}

const MISSED_COLUMNS: readonly TableColumn[] = [
  { header: "ruled wrong", align: "left", min: 12, cut: "middle" },
  { header: "label", align: "left" },
  { header: "mode", align: "left", drop: 2 },
  { header: "held out", align: "left", drop: 3 },
  { header: "times", align: "right" },
  { header: "score", align: "right" },
  { header: "reason", align: "left", min: 10, drop: 1 },
];

function missedRow({ at, label, failure_mode, held_out, wrong, of, score, reason }: MissedExample): TableCell[] {
  const texts = [
    at,
    label,
    failure_mode ?? "",
    held_out ? "yes" : "",
    `${wrong}/${of}`,
    score?.toFixed(2) ?? UNDEFINED,
    reason,
  ];
  return texts.map((text) => ({ text: oneLine(text) }));
}

/** `the judge took 38 calls, 12,345 tokens in, 678 out, 9.1 s, cost $0.0123`; nobody is asked where code decides. */
function spentLine(spent: Spent): string {
  const { calls, cached, failed_requests, cost_usd, unpriced_calls } = spent;
  const price = cost_usd === null ? "cost unknown (no price)" : `cost ${dollars(cost_usd)}`;
  const unpriced = cost_usd !== null && unpriced_calls > 0 ? ` and unknown for ${counted(unpriced_calls, "call")}` : "";
  const parts = [
    ...(calls === 0 ? ["the judge took 0 calls"] : [spentPart("the judge took", spent), price + unpriced]),
    ...(cached === 0 ? [] : [`${grouped(cached)} from the response cache`]),
    ...(failed_requests === 0 ? [] : [`${counted(failed_requests, "request")} failed`]),
  ];
  return parts.join(", ");
}

function gateLine({ name, least, found, failed }: Gate, { paint }: TerminalStyle): string {
  const what = name === "pass" ? "good examples passed" : "bad examples intercepted";
  const line = `gate ${failed ? "failed" : "held"}: ${percent(found)} of ${what}, at least ${percent(least)} asked`;
  return failed ? paint.bad(line) : paint.good(line);
}
