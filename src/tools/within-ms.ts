/** Waits for the event, and no longer than `most_ms`. */
export async function withinMs(most_ms: number, event: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, most_ms);
  });
  await Promise.race([event, late]);
  clearTimeout(timer);
}
