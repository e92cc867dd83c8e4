/** Environment variables, handed in by the CLI: nothing below it reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Replaced {
  readonly text: string;
  /** What is wrong with the references, in words; empty where all is well. */
  readonly problems: readonly string[];
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` by environment variables. An empty variable counts as not set, as in the
 * shell's `:-`; `${NAME:-}` stands where empty is meant.
 */
export function replaceVariables(text: string, env: Environment): Replaced {
  const problems: string[] = [];
  const replaced = text.replaceAll(/\$\{([^}]*)\}/g, (reference: string, inside: string) => {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(:-([\s\S]*))?$/.exec(inside);
    const name = match?.[1];
    if (name === undefined) {
      problems.push(`"${reference}" is no reference to a variable: write \${NAME} or \${NAME:-default}`);
      return reference;
    }
    const value = env[name] || match?.[3];
    if (value === undefined) problems.push(`the environment variable ${name} is not set`);
    return value ?? reference;
  });
  return { text: replaced, problems };
}
