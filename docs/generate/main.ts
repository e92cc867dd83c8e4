import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GENERATED } from "./generated.js";

/** Writes what is generated: `npm run docs`. A test compares it with what is committed. */
const root = fileURLToPath(new URL("../..", import.meta.url));
for (const { file, text } of GENERATED) writeFileSync(`${root}${file}`, text(root));
