/** One thing that a document says: a key with what stands behind it, or a whole sentence. */
export interface Entry {
  /** Headings above it, outermost first. */
  readonly headings: readonly string[];
  /** What is spoken of; null for a sentence that names no key. */
  readonly key: string | null;
  readonly body: string;
}

/** Splits Markdown into key–value lines, table rows and sentences. */
export function entriesOf(markdown: string): readonly Entry[] {
  const entries: Entry[] = [];
  let headings: string[] = [];
  for (const line of joinedLines(markdown)) {
    const heading = /^(#+)\s+(.*?)\s*#*$/.exec(line);
    if (heading?.[1] !== undefined && heading[2] !== undefined) {
      headings = [...headings.slice(0, heading[1].length - 1), heading[2]];
      continue;
    }
    for (const { key, body } of lineEntries(line)) entries.push({ headings, key, body });
  }
  return entries;
}

/** Lines of a paragraph or bullet that were wrapped are put together again. */
function joinedLines(markdown: string): readonly string[] {
  const lines: string[] = [];
  let open = false;
  for (const raw of markdown.split(/\r?\n/)) {
    const line = raw.trim();
    const starts = line === "" || /^(#|[-*+•]\s|\d+[.)]\s|\||>|```)/.test(line);
    const last = lines.length - 1;
    if (open && !starts) lines[last] = `${lines[last]} ${line}`;
    else if (line !== "") lines.push(line);
    open = line !== "" && !/^(#|\||```)/.test(line);
  }
  return lines;
}

function lineEntries(line: string): readonly { key: string | null; body: string }[] {
  if (line.startsWith("|")) return tableEntry(line);
  const text = line.replace(/^([-*+•>]|\d+[.)])\s+/, "");
  const bold = boldEntries(text);
  if (bold.length > 0) return bold;
  const plain = /^(`[^`]+`|"[^"]+"|[^:：=。.!?]{1,60}?)\s*(?:[:：]|\s[-–—]\s|\s=\s|＝)\s*(.+)$/u.exec(text);
  if (
    plain?.[1] !== undefined &&
    plain[2] !== undefined &&
    !/\s(?:is|are|was|were|means?|with|those|whose)\s/i.test(plain[1])
  )
    return [{ key: bareKey(plain[1]), body: plain[2] }, ...sentences(plain[2])];
  return sentences(text);
}

function tableEntry(line: string): readonly { key: string; body: string }[] {
  const cells = line
    .replaceAll(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
  const [key, ...rest] = cells;
  if (key === undefined || rest.length === 0 || /^[-: ]*$/.test(key)) return [];
  return [{ key: bareKey(key), body: rest.join(" ; ") }];
}

/** `**key (type):** body. **key:** body` → its pairs. */
function boldEntries(text: string): readonly { key: string; body: string }[] {
  const keys = [...text.matchAll(/\*\*(.+?)\*\*\s*[:：]?/g)];
  if (keys[0]?.index !== 0) return [];
  return keys.map((match, index) => ({
    key: bareKey(match[1] ?? ""),
    body: text.slice(match.index + match[0].length, keys[index + 1]?.index ?? text.length).trim(),
  }));
}

/** A key without marks, its colon and a type in brackets behind it. */
function bareKey(key: string): string {
  return key
    .replaceAll(/[`*]/g, "")
    .replace(/[:：]\s*$/, "")
    .replace(
      /\s*[(（](?:text|integer|int|bigint|real|float|double|numeric|number|date|datetime|timestamp|boolean|bool|string|varchar|decimal)[^)）]*[)）]\s*$/i,
      "",
    )
    .replaceAll(/^"|"$/g, "")
    .trim();
}

function sentences(text: string): readonly { key: null; body: string }[] {
  return text
    .split(/(?<=[.!?])\s+(?=\p{Lu}|["'`])|(?<=[。！？；])/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean)
    .map((body) => ({ key: null, body }));
}
