import { z } from "zod";
import { profileSchema } from "../../src/config/profile-schema.js";

/** What the JSON Schema of one key says, as far as it is used here; the rest goes through as it is. */
const keySchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).exactOptional(),
  description: z.string().exactOptional(),
  default: z.json().exactOptional(),
  enum: z.array(z.string()).exactOptional(),
  const: z.string().exactOptional(),
  minimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
  exclusiveMinimum: z.number().exactOptional(),
  required: z.array(z.string()).exactOptional(),
  get properties() {
    return z.record(z.string(), keySchema).exactOptional();
  },
  get items() {
    return keySchema.exactOptional();
  },
  get anyOf() {
    return z.array(keySchema).exactOptional();
  },
});
type KeySchema = z.infer<typeof keySchema>;

/** Keys of a file that say how the profile comes about; the loader reads them before the schema does. */
const OF_THE_FILE = {
  extends: {
    type: "string",
    description: "The profile that this one goes on from: a packaged one's name, or a file relative to this one.",
  },
  matrix: {
    type: "object",
    description: "Lists of values by key (`model`, `model.temperature`, `discipline`, …): each combination is an arm.",
  },
} satisfies Record<string, KeySchema>;

/** JSON Schema (2020-12) of a profile file, for editors. A layer may leave out what another one gives, so nothing is required. */
export function profileJsonSchema(): object {
  const schema = optional(readSchema());
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "daw-eval profile",
    ...schema,
    properties: { ...OF_THE_FILE, ...schema.properties },
  };
}

/** docs/profile.md: each key of a profile with what it takes, its default and what it does. */
export function profileReference(): string {
  const { properties = {} } = readSchema();
  const plain = Object.entries(properties).filter(([, key]) => sectionOf(key) === null);
  const sections = Object.entries(properties).filter(([, key]) => sectionOf(key) !== null);
  return [
    "# Profile reference",
    "",
    "Generated from the schema that reads profiles (`npm run docs`). An unknown key is an error with the nearest known one and its place in the file.",
    `\`\${VAR}\` is replaced from the environment, \`\${VAR:-text}\` has a default; \`--set a.b=c\` overrides any key. Keys of endpoints stay in the environment: \`api_key_env\` names the variable.`,
    "For completion in an editor, begin the file with `# yaml-language-server: $schema=` and the path of `configs/profile.schema.json`.",
    "",
    ...table("", { ...OF_THE_FILE, ...Object.fromEntries(plain) }),
    ...sections.flatMap(([name, key]) => section(name, key)),
  ].join("\n");
}

function section(path: string, key: KeySchema): string[] {
  const { properties = {} } = sectionOf(key) ?? {};
  const inner = Object.entries(properties).filter(([, member]) => sectionOf(member) !== null);
  // Each role takes the keys of `model`, which stand there once.
  const own = path === "roles" ? [] : inner;
  const rows = path === "roles" ? properties : without(properties, own);
  const deeper = own.flatMap(([name, member]) => section(`${path}.${name}`, member));
  return [`## ${path}`, "", key.description ?? "", "", ...table(`${path}.`, rows), ...deeper];
}

function without(properties: Readonly<Record<string, KeySchema>>, left: readonly (readonly [string, KeySchema])[]) {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => left.every(([other]) => other !== name)));
}

function table(path: string, properties: Readonly<Record<string, KeySchema>>): string[] {
  const rows = Object.entries(properties).map(
    ([name, key]) => `| \`${path}${name}\` | ${allowed(key)} | ${defaultOf(key)} | ${key.description ?? ""} |`,
  );
  return ["| key | takes | default | what it does |", "| --- | --- | --- | --- |", ...rows, ""];
}

function readSchema(): KeySchema {
  return keySchema.parse(z.toJSONSchema(profileSchema, { io: "input" }));
}

/** The key as a section of keys; null where it is a value. A section that may be null counts. */
function sectionOf(key: KeySchema): KeySchema | null {
  if (key.properties !== undefined) return key;
  return key.anyOf?.find(({ properties }) => properties !== undefined) ?? null;
}

function optional(key: KeySchema): KeySchema {
  const { required: _, properties, anyOf, ...rest } = key;
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, optional(member)]);
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(optional) }),
  };
}

function allowed(key: KeySchema): string {
  if (key.anyOf !== undefined) return key.anyOf.map(allowed).join(" or ");
  if (key.enum !== undefined) return key.enum.map((value) => `\`${value}\``).join(", ");
  if (key.const !== undefined) return `\`${key.const}\``;
  if (Array.isArray(key.type)) return key.type.map((type) => allowed({ ...key, type })).join(" or ");
  if (key.properties !== undefined) return "the keys of `model`";
  if (key.type === "integer") return `whole number${range(key)}`;
  if (key.type === "number") return `number${range(key)}`;
  if (key.type === "array") return `list of ${key.items === undefined ? "values" : allowed(key.items)}`;
  if (key.type === "object") return "map";
  if (key.type === "string") return "text";
  if (key.type === "boolean") return "true or false";
  return key.type ?? "anything";
}

function range({ minimum, maximum, exclusiveMinimum }: KeySchema): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (minimum === undefined) return "";
  return most === null ? ` of at least ${minimum}` : ` from ${minimum} to ${most}`;
}

function defaultOf(key: KeySchema): string {
  return key.default === undefined ? "" : `\`${JSON.stringify(key.default)}\``;
}
