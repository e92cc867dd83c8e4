/** Environment variables, handed in by the CLI: nothing below it reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Replaced {
  readonly text: string;
  /** The values that were put in from the environment, defaults not. */
  readonly values: readonly string[];
  /** What is wrong with the references, in words; empty where all is well. */
  readonly problems: readonly string[];
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` by environment variables. An empty variable counts as not set, as in the
 * shell's `:-`; `${NAME:-}` stands where empty is meant.
 */
export function replaceVariables(text: string, env: Environment): Replaced {
  const values: string[] = [];
  const problems: string[] = [];
  const replaced = text.replaceAll(/\$\{([^}]*)\}/g, (reference: string, inside: string) => {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(:-([\s\S]*))?$/.exec(inside);
    const name = match?.[1];
    if (name === undefined) {
      problems.push(`"${reference}" is no reference to a variable: write \${NAME} or \${NAME:-default}`);
      return reference;
    }
    const given = env[name];
    if (given) values.push(given);
    const value = given || match?.[3];
    if (value === undefined) problems.push(`the environment variable ${name} is not set`);
    return value ?? reference;
  });
  return { text: replaced, values, problems };
}

/**
 * Whether a value that the environment gives for a key is worth hiding: local servers take any word for a key (`none`,
 * `ollama`), and hiding an everyday word would spoil what a model says.
 */
export function isSecretValue(value: string): boolean {
  return value.length >= 16 || (value.length >= 6 && /[^A-Za-z]/.test(value));
}
