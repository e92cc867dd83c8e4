export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

export interface Sentence {
  readonly text: string;
  /** Lines that it stands on. */
  readonly lines: readonly number[];
  /** The heading above; null where there is none. */
  readonly heading: NumberedLine | null;
  /** Whether it begins a paragraph: what the sentence before was about does not go on into it. */
  readonly opens: boolean;
}

const HEADING = /^\s{0,3}#{1,6}\s+/;
const CHINESE = /[\p{Script=Han}，。；：、]/u;
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/** The sentences of a passage, each with its lines. A line that goes on in the next one is joined to it; a list's items are apart. */
export function sentencesOf(lines: readonly NumberedLine[]): Sentence[] {
  let heading: NumberedLine | null = null;
  return paragraphsOf(lines).flatMap((paragraph) => {
    const [first] = paragraph;
    if (first !== undefined && HEADING.test(first.text)) {
      heading = { line: first.line, text: first.text.replace(HEADING, "").replace(/\s+#+\s*$/, "") };
      return [];
    }
    return cut(paragraph, heading);
  });
}

function paragraphsOf(lines: readonly NumberedLine[]): NumberedLine[][] {
  const paragraphs: NumberedLine[][] = [];
  for (const line of lines) {
    const before = paragraphs.at(-1)?.at(-1);
    const goesOn =
      before !== undefined &&
      line.line - before.line <= 1 &&
      !HEADING.test(before.text) &&
      !HEADING.test(line.text) &&
      !/^\s*(?:[-*+•]|\d+[.)])\s/.test(line.text);
    if (goesOn) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

function cut(paragraph: readonly NumberedLine[], heading: NumberedLine | null): Sentence[] {
  let text = "";
  const starts: { readonly at: number; readonly line: number }[] = [];
  for (const line of paragraph) {
    const isJoined = text === "" || (CHINESE.test(text.slice(-1)) && CHINESE.test(line.text.slice(0, 1)));
    if (!isJoined) text += " ";
    starts.push({ at: text.length, line: line.line });
    text += line.text;
  }
  return [...SENTENCES.segment(text)].map(({ segment, index }) => {
    const end = index + segment.trimEnd().length;
    const on = starts.filter(({ at }, place) => at < end && (starts[place + 1]?.at ?? text.length) > index);
    return { text: segment.trim(), lines: [...new Set(on.map(({ line }) => line))], heading, opens: index === 0 };
  });
}
