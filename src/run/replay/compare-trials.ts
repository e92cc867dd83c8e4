import { stableJson } from "../../core/digest.js";
import type { TrialEvent } from "../../core/event.js";
import type { StandingScore } from "../run-state.js";

/** What became of a stored trial when it was replayed. */
export type Comparison =
  /** The same events, but for their times. */
  | { readonly kind: "same" }
  /** Today's code asked for something else than the stored trial did, and could not go on. */
  | { readonly kind: "diverged"; readonly how: string }
  /** Today's code did something else with the same answers. */
  | { readonly kind: "differs"; readonly how: string };

/** Compares the events of a stored trial with those of its replay. Pure. */
export function compareTrials(stored: readonly TrialEvent[], replayed: readonly TrialEvent[]): Comparison {
  const last = replayed.at(-1);
  if (
    last?.type === "trial-finished" &&
    last.outcome.kind === "infra-error" &&
    last.outcome.class === "replay-diverged"
  ) {
    return { kind: "diverged", how: last.outcome.message };
  }
  const before = essence(stored);
  const now = essence(replayed);
  for (let index = 0; index < Math.max(before.length, now.length); index++) {
    const [was, is] = [before[index], now[index]];
    if (was?.text === is?.text) continue;
    const place = `event ${(was ?? is)?.event.seq}`;
    if (was === undefined || is === undefined) {
      const which =
        was === undefined ? `now there is a ${is?.event.type} more` : `the ${was.event.type} is not there now`;
      return { kind: "differs", how: `${place}: ${which}` };
    }
    if (was.event.type !== is.event.type) {
      return { kind: "differs", how: `${place}: then ${was.event.type}, now ${is.event.type}` };
    }
    return { kind: "differs", how: `${place}: ${was.event.type}: ${keysThatDiffer(was.event, is.event).join(", ")}` };
  }
  return { kind: "same" };
}

interface Essential {
  readonly event: TrialEvent;
  readonly text: string;
}

/**
 * Events without times and places. Suspensions are left out: a replay has none. Of calls that ran at once the order in which they returned
 * does not count.
 */
function essence(events: readonly TrialEvent[]): Essential[] {
  const found: Essential[] = [];
  let together: Essential[] = [];
  for (const event of events) {
    if (event.type === "trial-suspended" || event.type === "trial-resumed") continue;
    const essential = { event, text: stableJson(essentials(event)) };
    if (event.type === "tool-returned" || event.type === "candidate-submitted") together.push(essential);
    else {
      found.push(...inOrder(together), essential);
      together = [];
    }
  }
  return [...found, ...inOrder(together)];
}

const inOrder = (events: readonly Essential[]): Essential[] => events.toSorted((a, b) => (a.text < b.text ? -1 : 1));

const PASSING: readonly string[] = ["seq", "at", "waited_ms", "ms", "prediction", "attempt"];

function essentials(event: TrialEvent): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(event).filter(([key]) => !PASSING.includes(key)));
}

function keysThatDiffer(was: TrialEvent, is: TrialEvent): string[] {
  const [before, now] = [essentials(was), essentials(is)];
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...keys].filter((key) => stableJson({ value: before[key] }) !== stableJson({ value: now[key] }));
}

/** Names of the scorers that give another value or status than before; of both runs' scorers only those that both have are compared. */
export function changedScores(
  stored: ReadonlyMap<string, StandingScore> | undefined,
  replayed: ReadonlyMap<string, StandingScore> | undefined,
): string[] {
  return [...(stored ?? [])].flatMap(([scorer, before]) => {
    const now = replayed?.get(scorer);
    return now === undefined || (now.status === before.status && now.value === before.value) ? [] : [scorer];
  });
}
