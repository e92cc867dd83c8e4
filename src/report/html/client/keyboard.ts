/** What single keys do; nothing while a person writes in a field or holds a modifier. */
export interface Keys {
  readonly [key: string]: () => void;
}

export function listen(keys: () => Keys): void {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const writing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (event.key === "Escape" && writing) target.blur();
    if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys()[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

/** Moves the focus to the event after or before the one that has it, or the first that is in sight. */
export function stepEvents(direction: 1 | -1): void {
  const events = [...document.querySelectorAll<HTMLElement>(".events > li")];
  const current = events.findIndex((event) => event.contains(document.activeElement));
  const inSight = events.findIndex((event) => event.getBoundingClientRect().bottom > 0);
  const target = events[current === -1 ? Math.max(0, inSight) : current + direction];
  target?.focus();
  target?.scrollIntoView({ block: "start" });
}
