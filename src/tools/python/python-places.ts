/** Waits for a place and returns what gives it back; `onWait` is told when a wait begins and ends. Rejects with the signal's reason. */
export type TakePlace = (signal: AbortSignal, onWait: (began: boolean) => void) => Promise<() => void>;

/** So many places, given in the order of asking. */
export function createPlaces(most: number): TakePlace {
  const line: (() => void)[] = [];
  let taken = 0;
  const giveBack = () => {
    const next = line.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  const inLine = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      line.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  return async (signal, onWait) => {
    signal.throwIfAborted();
    if (taken < most) taken += 1;
    else {
      onWait(true);
      await inLine(signal).finally(() => onWait(false));
    }
    return giveBack;
  };
}
