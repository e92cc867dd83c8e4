import { cutToTokens } from "./tokens.js";

export interface ExcerptLimits {
  /** Tokens of one text. */
  readonly max_string_tokens: number;
  /** Members of one list. */
  readonly max_list_items: number;
}

export interface Excerpt {
  readonly value: unknown;
  /** Something was left out of `value`. */
  readonly cut: boolean;
}

/** A JSON value with its texts and lists cut at every depth. Keys, numbers and the order of everything stay. */
export function excerptOf(value: unknown, limits: ExcerptLimits): Excerpt {
  if (typeof value === "string") {
    const shown = cutToTokens(value, limits.max_string_tokens);
    return { value: shown, cut: shown.length < value.length };
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, limits.max_list_items).map((member) => excerptOf(member, limits));
    const cut = value.length > limits.max_list_items || shown.some((member) => member.cut);
    return { value: shown.map((member) => member.value), cut };
  }
  if (typeof value !== "object" || value === null) return { value, cut: false };
  const shown = Object.entries(value).map(([key, member]) => [key, excerptOf(member, limits)] as const);
  return {
    value: Object.fromEntries(shown.map(([key, member]) => [key, member.value])),
    cut: shown.some(([, member]) => member.cut),
  };
}

/** What a tool's content says: its JSON where it is JSON, else the text. */
export function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
