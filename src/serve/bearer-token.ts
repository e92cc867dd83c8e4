import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether an Authorization header carries the token. Digests of equal length are compared, so that neither the time nor an early end tells how
 * much of a guess was right.
 */
export function carriesToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(sha256(given), sha256(token));
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
