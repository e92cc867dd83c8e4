import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { UsageError } from "../core/errors.js";
import { type Located, type Origin, type Problem, problemLines, type Scalar } from "./located.js";

/** Reads one YAML document; `origin` says where a line of it is. Throws UsageError with all syntax errors. */
export function readYaml(text: string, origin: (line: number) => Origin): Located {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Origin => origin(lines.linePos(offset).line);
  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => ({
    at: at(error.pos[0]),
    message: error.message,
  }));
  const root = problems.length === 0 ? locate(document, document.contents, at(0), at, [], problems) : null;
  if (root === null || problems.length > 0) throw new UsageError(problemLines(problems));
  return root;
}

/** `own` is where the value's key stands; `open` holds the nodes around it, so that an alias cannot go in circles. */
function locate(
  document: Document.Parsed,
  node: Node | null,
  own: Origin,
  at: (offset: number) => Origin,
  open: readonly Node[],
  problems: Problem[],
): Located {
  const place = (inner: Node | null): Origin => (inner?.range ? at(inner.range[0]) : own);
  if (node === null) return nothing(own);
  if (isAlias(node)) {
    const target = node.resolve(document) ?? null;
    if (target !== null && !open.includes(target)) return locate(document, target, own, at, open, problems);
    problems.push({ at: own, message: `the alias *${node.source} leads to itself or nowhere` });
    return nothing(own);
  }
  if (isScalar(node) && isPlainScalar(node.value)) {
    return { kind: "scalar", at: own, value: node.value, quoted: node.type !== "PLAIN" };
  }
  if (isSeq<Node | null>(node)) {
    const items = node.items.map((item) => locate(document, item, place(item), at, [...open, node], problems));
    return { kind: "list", at: own, items };
  }
  if (isMap<Node, Node | null>(node)) {
    const entries = new Map<string, Located>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : String(key);
      entries.set(name, locate(document, value, place(key), at, [...open, node], problems));
    }
    return { kind: "map", at: own, entries };
  }
  problems.push({ at: own, message: "only maps, lists, text, numbers, true, false and null can stand here" });
  return nothing(own);
}

const nothing = (at: Origin): Located => ({ kind: "scalar", at, value: null, quoted: false });

function isPlainScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
