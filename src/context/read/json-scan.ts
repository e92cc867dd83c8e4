/** A piece of a JSON file, small enough to be read on its own. */
export type JsonPiece =
  /** An element of the outermost array (`key` null) or of an array that is a member of the outermost object. */
  | { readonly kind: "element"; readonly key: string | null; readonly text: string }
  /** A member of the outermost object that is no array. */
  | { readonly kind: "member"; readonly key: string; readonly text: string }
  /** A member of the outermost object that is an array: its elements follow. */
  | { readonly kind: "array"; readonly key: string };

export interface JsonScan {
  push(chunk: Uint8Array): void;
  /** Null when the file was whole; else what is wrong, and where. */
  end(): string | null;
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20] as const;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** What may come next outside the pieces. */
type Expected =
  | "document"
  | "element"
  | "element-or-end"
  | "comma-or-end"
  | "key"
  | "key-or-end"
  | "colon"
  | "member"
  | "nothing";

/**
 * Cuts a JSON document into pieces, a chunk at a time, so that its size does not matter. `many`: the file is a sequence of values without
 * commas (then each is an element). Only the outermost structure is checked; a piece may turn out not to be JSON. After
 * the first fault in the structure nothing more is given out.
 */
export function scanJson(many: boolean, onPiece: (piece: JsonPiece) => void): JsonScan {
  let buffer: Uint8Array = new Uint8Array(0);
  let filled = 0;
  let at = 0;
  /** Bytes before buffer[0]. */
  let base = 0;
  let fault: string | null = null;
  let expected: Expected = many ? "element" : "document";
  /** Open containers outside the pieces: [] at the top, then "array" or "object", then "array". */
  const open: ("array" | "object")[] = [];
  let key: string | null = null;
  /** Start of the piece (or key) in hand, -1 between pieces. */
  let start = -1;
  let depth = 0;
  let inString = false;
  let scalar = false;

  function stop(what: string): void {
    fault ??= `${what} at byte ${base + at + 1}`;
    at = filled;
  }

  function text(end: number): string {
    return Buffer.from(buffer.buffer, buffer.byteOffset + start, end - start).toString("utf8");
  }

  /** The piece or key in hand ends before `end`. */
  function finishPiece(end: number): void {
    const found = text(end);
    start = -1;
    if (expected === "key" || expected === "key-or-end") {
      key = keyOf(found);
      expected = "colon";
      return;
    }
    if (expected === "member") onPiece({ kind: "member", key: key ?? "", text: found });
    else onPiece({ kind: "element", key: open.length > 1 ? key : null, text: found });
    expected = open.length > 0 ? "comma-or-end" : many ? "element" : "nothing";
  }

  function startPiece(byte: number): void {
    start = at;
    depth = 0;
    inString = false;
    scalar = byte !== QUOTE && byte !== OPEN_ARRAY && byte !== OPEN_OBJECT;
    at -= 1;
  }

  /** Goes on until the piece ends or the bytes do. */
  function inPiece(): void {
    for (; at < filled && start >= 0; at++) {
      const byte = buffer[at] ?? 0;
      if (inString) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) finishPiece(at + 1);
        }
      } else if (scalar) {
        if (isSpace(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
          finishPiece(at);
          at -= 1;
        }
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        depth -= 1;
        if (depth === 0) finishPiece(at + 1);
      }
    }
    at -= 1;
  }

  function close(byte: number): void {
    if (byte !== (open.at(-1) === "array" ? CLOSE_ARRAY : CLOSE_OBJECT)) {
      stop("a wrong closing bracket");
      return;
    }
    open.pop();
    expected = open.length === 0 ? "nothing" : "comma-or-end";
  }

  function between(byte: number): void {
    const closing = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
    if (expected === "nothing") stop("more after the end of the document");
    else if (expected === "colon") {
      if (byte === COLON) expected = "member";
      else stop("no colon after a key");
    } else if (expected === "comma-or-end") {
      if (closing) close(byte);
      else if (byte === COMMA) expected = open.at(-1) === "array" ? "element" : "key";
      else stop("no comma after a value");
    } else if (closing && (expected === "element-or-end" || expected === "key-or-end")) close(byte);
    else if (expected === "key" || expected === "key-or-end") {
      if (byte === QUOTE) startPiece(byte);
      else stop("no key in quotes");
    } else if (closing || byte === COMMA || byte === COLON) stop("no value where one should be");
    else startValue(byte);
  }

  function startValue(byte: number): void {
    if (expected === "document" && byte === OPEN_ARRAY) {
      open.push("array");
      expected = "element-or-end";
    } else if (expected === "document" && byte === OPEN_OBJECT) {
      open.push("object");
      expected = "key-or-end";
    } else if (expected === "member" && byte === OPEN_ARRAY) {
      open.push("array");
      expected = "element-or-end";
      onPiece({ kind: "array", key: key ?? "" });
    } else startPiece(byte);
  }

  function run(): void {
    for (; at < filled; at++) {
      const byte = buffer[at] ?? 0;
      if (start >= 0) inPiece();
      else if (!isSpace(byte)) between(byte);
    }
  }

  return {
    push(chunk) {
      if (fault !== null) return;
      const from = start >= 0 ? start : Math.min(at, filled);
      const kept = filled - from;
      const target =
        kept + chunk.length <= buffer.length ? buffer : new Uint8Array(Math.max(chunk.length + kept, 2 * kept));
      target.set(buffer.subarray(from, filled));
      target.set(chunk, kept);
      buffer = target;
      filled = kept + chunk.length;
      at -= from;
      base += from;
      if (start >= 0) start = 0;
      run();
    },
    end() {
      if (fault !== null) return fault;
      if (start >= 0 && scalar) finishPiece(filled);
      const whole = start < 0 && (many || expected === "nothing");
      return whole ? null : "the file ends in the middle";
    },
  };
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

function keyOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
