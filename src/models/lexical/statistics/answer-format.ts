import { numberWord } from "../words/numbers.js";

/** One value that an answer format asks for: `@mean_age[value]`. */
export interface AnswerField {
  readonly name: string;
  /** What stands in its brackets. */
  readonly placeholder: string;
  /** What the format says about it. */
  readonly description: string;
  /** Decimals to round to; null where nothing is said. */
  readonly decimals: number | null;
  /** Texts that it may take, where they are listed. */
  readonly choices: readonly string[];
}

export interface FormattedQuestion {
  /** The question without its answer format. */
  readonly task: string;
  readonly fields: readonly AnswerField[];
}

const FIELD = /@([\p{L}_][\p{L}\p{N}_.-]*)\s*\[([^\]]*)\]/gu;

/** Takes a question and its answer format apart; no fields where it has no format. */
export function readAnswerFormat(question: string): FormattedQuestion {
  const matches = [...question.matchAll(FIELD)];
  const first = matches[0];
  if (first === undefined) return { task: question, fields: [] };
  const start = formatStart(question, first.index);
  const format = question.slice(start);
  const everywhere = decimalsIn(question);
  const fields = matches.map((match, index): AnswerField => {
    const [whole, name = "", placeholder = ""] = match;
    const near = format.slice(
      match.index - start + whole.length,
      (matches[index + 1]?.index ?? question.length) - start,
    );
    const description = `${near.split("@")[0]} ${describedIn(format, placeholder, name)}`;
    return {
      name,
      placeholder,
      description,
      decimals: isWhole(`${placeholder} ${description}`)
        ? 0
        : (decimalsIn(describedIn(format, placeholder, name)) ?? everywhere),
      choices: placeholder.includes("/")
        ? placeholder.split("/").map((choice) => choice.trim())
        : choicesIn(
            description,
            matches.map((other) => other[2] ?? ""),
          ),
    };
  });
  return { task: question.slice(0, start).trim(), fields: withoutRepeats(fields) };
}

/** From `Answer format:` on, where that is said before the first field. */
function formatStart(question: string, firstField: number): number {
  const said = /(?:the )?(?:answer|output|response|result)s?[ -]?format\s*(?:is|:)?|format your answer|in the format/gi;
  const before = [...question.matchAll(said)].filter((match) => match.index < firstField).at(-1);
  return before === undefined ? firstField : before.index;
}

function withoutRepeats(fields: readonly AnswerField[]): readonly AnswerField[] {
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** The clause of `where "placeholder" is …` about one placeholder. */
function describedIn(format: string, placeholder: string, name: string): string {
  for (const word of [placeholder, name]) {
    const at = word === "" ? -1 : format.search(new RegExp(`["'“\`]${escaped(word)}["'”\`]`));
    if (at < 0) continue;
    const rest = format.slice(at + word.length + 2);
    const end = rest.search(
      /[\n]|\.\s|(?:,|;|and|where)\s+["“][\p{L}_ ]+["”]\s+(?:is|are|represents?|denotes?|should)/u,
    );
    return end < 0 ? rest : rest.slice(0, end);
  }
  return "";
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** `rounded to two decimal places` → 2. */
function decimalsIn(text: string): number | null {
  const match = /(\w+)[ -](?:decimals?(?: places?| points?| digits?)?|digits after)/i.exec(
    text.replaceAll(/\(\d+\)/g, ""),
  );
  const word = match?.[1]?.toLowerCase();
  if (word === undefined) return null;
  if (/^\d+$/.test(word)) return Number(word);
  return numberWord(word) ?? (word === "nearest" ? 0 : null);
}

function isWhole(text: string): boolean {
  return (
    /\b(?:an?|positive|negative|non-negative|as) (?:positive |non-negative )?(?:integer|whole number)\b|\binteger\b/i.test(
      text,
    ) && !/decimal|float/i.test(text)
  );
}

function choicesIn(description: string, placeholders: readonly string[]): readonly string[] {
  const quoted = [...description.matchAll(/["“'‘]([^"”'’]{1,40})["”'’]/g)].map((match) => match[1] ?? "");
  const bare = /\b(True|False|Yes|No)\b(?:\s*(?:or|\/|,)\s*)\b(True|False|Yes|No)\b/i.exec(description);
  const found = quoted.filter((text) => !placeholders.includes(text));
  return found.length > 0 || bare === null ? [...new Set(found)] : [bare[1] ?? "", bare[2] ?? ""];
}
