import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { unreadable } from "../core/unreadable.js";
import type { LocatedMap, Origin } from "./located.js";
import { readYaml } from "./read-yaml.js";

/** The package's configs: as far above `dist/config` as above `src/config`. */
const packagedFolder = fileURLToPath(new URL("../../configs/", import.meta.url));

interface ProfileFile {
  readonly path: string;
  /** How errors name it: as a person gave it, or `configs/<name>.yaml` for one of the package. */
  readonly source: string;
  /** In front of errors about the file itself: the `extends` that asked for it. */
  readonly asked_by: string;
}

/**
 * The layers of a profile, lowest first: what it extends, then itself, below them all its name where it gives none.
 * A profile is a path (with a `/` or ending in .yaml, .yml) or the name of a packaged one. Throws UsageError.
 */
export async function readLayers(profile: string): Promise<[LocatedMap, ...LocatedMap[]]> {
  const file = await findProfile(profile, null);
  const at: Origin = { source: file.source, line: 1 };
  const name = path.basename(file.path).replace(/\.ya?ml$/, "");
  const layers = await readChain(file, []);
  return [
    { kind: "map", at, entries: new Map([["name", { kind: "scalar", at, value: name, quoted: true }]]) },
    ...layers,
  ];
}

async function readChain(file: ProfileFile, below: readonly ProfileFile[]): Promise<LocatedMap[]> {
  const layer = await readLayer(file);
  const extended = layer.entries.get("extends");
  const entries = new Map(layer.entries);
  entries.delete("extends");
  // A name is a file's own: a profile is not called like the one it extends.
  if (below.length > 0) entries.delete("name");
  const own: LocatedMap = { ...layer, entries };
  if (extended === undefined) return [own];

  const { source, line } = extended.at;
  const where = `${source}:${line}`;
  if (extended.kind !== "scalar" || typeof extended.value !== "string") {
    throw new UsageError(`${where}: extends must be a path relative to this file, or the name of a packaged profile`);
  }
  const parent = await findProfile(extended.value, { file, where });
  const chain = [...below, file];
  if (chain.some((known) => path.resolve(known.path) === path.resolve(parent.path))) {
    const circle = [...chain, parent].map((known) => known.source).join(" → ");
    throw new UsageError(`${where}: profiles extend each other in a circle: ${circle}`);
  }
  return [...(await readChain(parent, chain)), own];
}

async function readLayer(file: ProfileFile): Promise<LocatedMap> {
  const text = await readFile(file.path, "utf8").catch((error: unknown) => {
    throw new UsageError(`${file.asked_by}${file.source}: ${unreadable(error)}`);
  });
  const root = readYaml(text, (line) => ({ source: file.source, line }));
  if (root.kind === "map") return root;
  if (root.kind === "scalar" && root.value === null) return { kind: "map", at: root.at, entries: new Map() };
  throw new UsageError(`${file.source}:1: a profile is a map of keys, for example "repeats: 3"`);
}

/** `from`: the file with the `extends`, which a path is relative to; null for a profile of the command line. */
async function findProfile(
  profile: string,
  from: { readonly file: ProfileFile; readonly where: string } | null,
): Promise<ProfileFile> {
  const asked_by = from === null ? "" : `${from.where}: extends `;
  if (/[\\/]|\.ya?ml$/.test(profile)) {
    if (from === null || path.isAbsolute(profile)) return { path: profile, source: profile, asked_by };
    const beside = (file: string) => path.join(path.dirname(file), profile);
    return { path: beside(from.file.path), source: beside(from.file.source), asked_by };
  }
  const files = (await readdir(packagedFolder)).filter((file) => file.endsWith(".yaml"));
  const names = files.map((file) => path.basename(file, ".yaml")).sort();
  if (!names.includes(profile)) {
    const [meant] = nearest(profile, names);
    const hint = meant === undefined ? `packaged are ${names.join(", ")}` : `did you mean "${meant}"?`;
    throw new UsageError(`${asked_by}"${profile}": no packaged profile has that name (a path ends in .yaml); ${hint}`);
  }
  return { path: path.join(packagedFolder, `${profile}.yaml`), source: `configs/${profile}.yaml`, asked_by };
}
