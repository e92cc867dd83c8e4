/** A type that a core file declares, as its source says it. */
export interface Declaration {
  readonly name: string;
  readonly doc: string;
  /** Of an interface. */
  readonly members: readonly Member[];
  /** Of a type alias: its right side on one line; of an interface: what it extends; empty where neither. */
  readonly text: string;
}

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  readonly doc: string;
}

/**
 * The exported interfaces and type aliases of a source file of ours, in its order. It reads the one layout that the formatter
 * leaves: a member a line, its comment above it; a type that does not end on its line goes on until the braces close.
 */
export function readDeclarations(source: string): Declaration[] {
  const lines = source.split("\n");
  const found: Declaration[] = [];
  let doc = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("/**")) {
      const end = lines.findIndex((text, index) => index >= at && text.includes("*/"));
      doc = commentText(lines.slice(at, end + 1));
      at = end;
      continue;
    }
    const start =
      /^export (?:interface (?<interface>\w+)(?: extends (?<base>[^{]+))? \{|type (?<alias>\w+) =(?<rest>.*))/.exec(
        line,
      );
    if (start?.groups?.interface !== undefined) {
      const end = line.endsWith("}") ? at : lines.findIndex((text, index) => index > at && text.startsWith("}"));
      const members = readMembers(lines.slice(at + 1, end));
      found.push({ name: start.groups.interface, doc, members, text: start.groups.base?.trim() ?? "" });
      at = end;
    } else if (start?.groups?.alias !== undefined) {
      const last = lastLineOfType(lines, at);
      const text = [start.groups.rest ?? "", ...lines.slice(at + 1, last + 1)].map(bare).join(" ");
      found.push({
        name: start.groups.alias,
        doc,
        members: [],
        text: text
          .replace(/;$/, "")
          .replace(/^ *\| /, "")
          .trim(),
      });
      at = last;
    }
    if (line.trim() !== "") doc = "";
  }
  return found;
}

/** A type ends where its brackets are closed and a line ends in `;`. */
function lastLineOfType(lines: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < lines.length; at++) {
    const code = bare(lines[at] ?? "");
    depth += count(code, /[{(<[]/g) - count(code.replaceAll("=>", ""), /[})>\]]/g);
    if (depth <= 0 && code.endsWith(";")) return at;
  }
  return from;
}

function readMembers(lines: readonly string[]): Member[] {
  const members: Member[] = [];
  let doc = "";
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    if (line.startsWith("/**")) {
      const end = lines.findIndex((text, index) => index >= at && text.includes("*/"));
      doc = commentText(lines.slice(at, end + 1));
      at = end;
      continue;
    }
    const start = /^(?:readonly )?(?<name>\w+)(?<optional>\?)?: (?<type>.*)$/.exec(line);
    if (start?.groups === undefined) continue;
    const end = lastLineOfType(lines, at);
    const type = [start.groups.type ?? "", ...lines.slice(at + 1, end + 1)].map(bare).join(" ");
    members.push({
      name: start.groups.name ?? "",
      optional: start.groups.optional !== undefined,
      type: type.replace(/;$/, "").replaceAll("readonly ", "").replace(/^\| /, "").trim(),
      doc,
    });
    at = end;
    doc = "";
  }
  return members;
}

/** A line of code without what a comment in it says. */
function bare(line: string): string {
  return line
    .replace(/\/\*\*.*?\*\//g, "")
    .replace(/\/\/ .*$/, "")
    .trim();
}

function commentText(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line
        .trim()
        .replace(/^\/\*\*/, "")
        .replace(/\*\/$/, "")
        .replace(/^\*/, "")
        .trim(),
    )
    .filter((line) => line !== "")
    .join(" ");
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
