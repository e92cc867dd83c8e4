/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date (then
 * relative to the response's own Date, if it has one, so that wrong clocks do not matter). Null where it does not say.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const milliseconds = numberIn(headers.get("retry-after-ms"));
  if (milliseconds !== null) return milliseconds;
  const text = headers.get("retry-after");
  const seconds = numberIn(text);
  if (seconds !== null) return seconds * 1000;
  const date = Date.parse(text ?? "");
  if (Number.isNaN(date)) return null;
  const sent = Date.parse(headers.get("date") ?? "");
  return Math.max(0, date - (Number.isNaN(sent) ? now : sent));
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\s*[0-9]+(\.[0-9]+)?\s*$/.test(text) ? Number(text) : null;
}
