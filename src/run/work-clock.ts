import type { Clock } from "../core/ports/clock.js";

/**
 * A trial's own time. It stands still while every call in flight waits: for a place in a queue, or between the requests of a retry. Such
 * waiting is nobody's work, so that it neither uses up the trial's seconds nor shows in them.
 */
export interface WorkClock {
  /** Told when a call of the trial begins and ends. */
  readonly onCall: (began: boolean) => void;
  /** Told when a call begins and ends to wait. */
  readonly onWait: (began: boolean) => void;
  /** Milliseconds that it has stood still so far. */
  waited(): number;
  /** Milliseconds that it has gone so far. */
  worked(): number;
  /** Calls `expire` once `milliseconds` of the trial's time are over; returns a function that calls it off. */
  alarm(milliseconds: number, expire: () => void): () => void;
}

interface Alarm {
  left: number;
  timer: NodeJS.Timeout | undefined;
  readonly expire: () => void;
}

export function createWorkClock(clock: Clock): WorkClock {
  const alarms = new Set<Alarm>();
  let calls = 0;
  let waits = 0;
  let since = clock.milliseconds();
  let waited = 0;
  let worked = 0;
  let stands = false;

  /** Books the time since the last change under what it was: worked or waited. */
  const book = () => {
    const now = clock.milliseconds();
    if (stands) waited += now - since;
    else {
      worked += now - since;
      for (const alarm of alarms) alarm.left -= now - since;
    }
    since = now;
  };
  const set = (alarm: Alarm) => {
    clearTimeout(alarm.timer);
    if (!stands) alarm.timer = setTimeout(alarm.expire, Math.max(1, alarm.left));
  };
  const change = () => {
    book();
    stands = calls > 0 && waits >= calls;
    for (const alarm of alarms) set(alarm);
  };
  return {
    onCall: (began) => {
      calls += began ? 1 : -1;
      change();
    },
    onWait: (began) => {
      waits += began ? 1 : -1;
      change();
    },
    waited: () => {
      book();
      return waited;
    },
    worked: () => {
      book();
      return worked;
    },
    alarm: (milliseconds, expire) => {
      book();
      const alarm: Alarm = { left: milliseconds, timer: undefined, expire };
      alarms.add(alarm);
      set(alarm);
      return () => {
        clearTimeout(alarm.timer);
        alarms.delete(alarm);
      };
    },
  };
}

/** Runs a call of the trial while its clock knows of it. */
export async function during<T>(workClock: WorkClock, call: () => Promise<T>): Promise<T> {
  workClock.onCall(true);
  try {
    return await call();
  } finally {
    workClock.onCall(false);
  }
}
