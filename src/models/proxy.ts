/** An HTTP proxy: requests to http:// go to it whole, those to https:// through a tunnel that it makes. */
export interface HttpProxy {
  readonly host: string;
  readonly port: number;
  /** The value of the Proxy-Authorization header; null where the URL has no user and password. */
  readonly authorization: string | null;
  /** The parts of the URL that must not come out. */
  readonly secrets: readonly string[];
}

/** Reads `http://[user:password@]host[:port]`; null for any other text. */
export function readProxy(text: string): HttpProxy | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "http:") return null;
  const [username, password] = [percentDecoded(url.username), percentDecoded(url.password)];
  const pair = username === "" && password === "" ? null : Buffer.from(`${username}:${password}`).toString("base64");
  return {
    host: bareHost(url),
    port: Number(url.port || 80),
    authorization: pair === null ? null : `Basic ${pair}`,
    secrets: pair === null ? [] : [password, pair],
  };
}

/** A URL's host as sockets want it: IPv6 without brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Text with a `%` that starts no escape is taken as it is. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
