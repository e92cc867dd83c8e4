/** Words of 32 bits in a cell's hash. */
export const HASH_WORDS = 4;

/** The key of the reference vectors (bytes 0 … 7), low word first: nothing here is secret, the hash only has to scatter. */
const KEY_LOW = 0x03020100;
const KEY_HIGH = 0x07060504;

/**
 * A 128-bit hash of a text's UTF-16 code units (little-endian) into the first four words of `into`. The first two words are
 * HalfSipHash-2-4 with 64 bits of output (Aumasson and Bernstein); two more are drawn by repeating its output step. Chosen over
 * SHA-256 because a call into OpenSSL costs ten times as much as hashing a cell of a dozen characters right here.
 */
export function hashCell(text: string, into: Uint32Array): void {
  let v0 = KEY_LOW;
  let v1 = KEY_HIGH ^ 0xee;
  let v2 = 0x6c796765 ^ KEY_LOW;
  let v3 = 0x74656462 ^ KEY_HIGH;
  const length = text.length;
  const blocks = (length >> 1) + 1;
  // One loop for taking blocks in and for drawing words out, so that the round stands here once and works on local variables.
  for (let step = 0; step < blocks + HASH_WORDS; step++) {
    let block = 0;
    if (step < blocks) {
      block = blockOf(text, step, length);
      v3 ^= block;
    } else if (step === blocks) {
      v2 ^= 0xee;
    } else {
      v1 ^= 0xdd;
    }
    for (let rounds = step < blocks ? 2 : 4; rounds > 0; rounds--) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    if (step < blocks) v0 ^= block;
    else into[step - blocks] = v1 ^ v3;
  }
}

/** Two code units; the last block holds the odd one, if any, and the length in bytes. */
function blockOf(text: string, block: number, length: number): number {
  const at = block * 2;
  if (at + 1 < length) return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
  return (at < length ? text.charCodeAt(at) : 0) | ((length * 2) << 24);
}
