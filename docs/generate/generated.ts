import { jsonReference } from "./json-reference.js";
import { profileJsonSchema, profileReference } from "./profile-reference.js";
import { runLogReference } from "./run-log-reference.js";

/** The files that are generated, each from the project's root (ends in a slash). */
export const GENERATED: readonly { readonly file: string; readonly text: (root: string) => string }[] = [
  { file: "docs/profile.md", text: profileReference },
  { file: "configs/profile.schema.json", text: () => `${JSON.stringify(profileJsonSchema(), null, 2)}\n` },
  { file: "docs/run-log.md", text: (root) => runLogReference(`${root}src/core`) },
  { file: "docs/json.md", text: (root) => jsonReference(`${root}src`) },
];
