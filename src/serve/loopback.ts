import { isIPv4 } from "node:net";

/** Whether only processes of this machine can reach a listener on `host`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/**
 * Whether a Host header names this machine. A page in a browser can be led to a loopback service by a name of its own (DNS rebinding), but the
 * header then has that name.
 */
export function namesLoopback(header: string | undefined): boolean {
  const host = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header ?? "")?.[1];
  return host !== undefined && isLoopback(host);
}
