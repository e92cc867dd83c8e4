const EMPTY = /^(?:[-–—]+|n\/a)?$/i;

/**
 * What a cell or value says, without Markdown's inline marks; null where it says nothing: blank, only dashes, or `n/a`. Marks
 * count only around a whole span, so that `a*b` and `snake_case` stay as they are.
 */
export function cellText(written: string): string | null {
  const plain = written
    .replaceAll(/<br\s*\/?>/gi, " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/(?<![\w*])(\*\*|\*)(?=\S)(.+?)(?<=\S)\1(?![\w*])/g, "$2")
    .replaceAll(/(?<!\w)(__|_)(?=\S)(.+?)(?<=\S)\1(?!\w)/g, "$2")
    .replaceAll(/`([^`]+)`/g, "$1")
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|])/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  return EMPTY.test(plain) ? null : plain;
}
