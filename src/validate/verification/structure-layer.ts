import { characters, comparable } from "../../answer/claims/text.js";
import { checkLines, type LineRule } from "../../answer/line-format.js";
import type { OutputFinding } from "../../core/verification.js";
import { citedIds } from "./citations.js";

/** What an output has to have, whatever it says. */
export interface StructureRules {
  /** Characters that it has at least, white space at its ends not counted. */
  readonly min_characters: number;
  /** Texts that must occur in it, such as the headings that were asked for; case and width do not count. */
  readonly parts: readonly string[];
  /** Where the output rests on tools, at least one `[E<n>]`. */
  readonly citations: boolean;
  /** Only those that are `required` speak against an output. */
  readonly lines: readonly LineRule[];
}

/** The first layer: the form of an output. Pure code, no model. Empty where there is nothing to find fault with. */
export function structureFindings(output: string, rules: StructureRules): readonly OutputFinding[] {
  const missing = insufficiency(output);
  if (missing !== null) return [{ rule: "insufficient", detail: `The output says that data are missing: ${missing}` }];
  return [...length(output, rules), ...parts(output, rules), ...citation(output, rules), ...lineFormats(output, rules)];
}

/** What an output says is missing, where it is `INSUFFICIENT: …`; null where it is an ordinary one. */
export function insufficiency(output: string): string | null {
  const match = /(?:^|\n)[\s*_#>-]*INSUFFICIENT\s*[:：]\s*([^\n]*)/.exec(output);
  return match === null ? null : match[1]?.trim() || "it does not say which";
}

function length(output: string, { min_characters }: StructureRules): OutputFinding[] {
  const count = characters(output.trim());
  if (count >= min_characters) return [];
  return [{ rule: "too-short", detail: `The output has ${count} characters; at least ${min_characters} are needed.` }];
}

function parts(output: string, { parts }: StructureRules): OutputFinding[] {
  const text = comparable(output).toLowerCase();
  return parts
    .filter((part) => !text.includes(comparable(part).toLowerCase()))
    .map((part) => ({ rule: "missing-part", detail: `The output lacks the part ${JSON.stringify(part)}.` }));
}

function citation(output: string, { citations }: StructureRules): OutputFinding[] {
  if (!citations || citedIds(output).length > 0) return [];
  return [{ rule: "no-citation", detail: "The output cites no evidence: every statement of fact needs its [E<n>]." }];
}

function lineFormats(output: string, { lines }: StructureRules): OutputFinding[] {
  return checkLines(output, lines)
    .filter(({ required, complied }) => required && !complied)
    .map(({ name }) => ({ rule: "line-format", detail: `The output lacks the line ${JSON.stringify(name)}.` }));
}
