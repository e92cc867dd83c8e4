/** The rules that the image relies on, over a Dockerfile's text: what is wrong, an instruction each. */

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** Instructions with their lines joined, without comments. */
export function instructionsOf(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  const joined = lines.join("\n").replaceAll(/\\\n\s*/g, "");
  return joined
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", rest = ""] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), rest: rest.trim() };
    });
}

export function faultsOf(text: string): string[] {
  const instructions = instructionsOf(text);
  const stages = instructions.filter(({ name }) => name === "FROM");
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));
  const named = (name: string) => last.filter((one) => one.name === name);
  const user = named("USER").at(-1)?.rest ?? "root";
  return [
    ...(stages.length < 2 ? ["one stage: compilers would be in the image"] : []),
    ...stages.flatMap(({ rest }) => (isPinned(rest) ? [] : [`FROM ${rest}: pin an exact release or a digest`])),
    ...instructions.flatMap(fault),
    ...(/^(root|0)(:|$)/.test(user) ? [`USER ${user}: the image must not run as root`] : []),
    ...[...named("ENTRYPOINT"), ...named("CMD")].flatMap(({ name, rest }) =>
      rest.startsWith("[") ? [] : [`${name} ${rest}: a shell between would not hand signals on`],
    ),
    ...(named("ENTRYPOINT").length === 1 ? [] : ["one ENTRYPOINT is needed"]),
    ...named("RUN").flatMap(({ rest }) =>
      /\b(g\+\+|gcc|make|npm)\b/.test(rest) ? [`RUN ${rest}: building is for the stage before`] : [],
    ),
  ];
}

/** `name:1.2.3-variant`, or with a digest. */
function isPinned(from: string): boolean {
  return /@sha256:[0-9a-f]{64}/.test(from) || /^\S+:\d+\.\d+\.\d+(-\S+)?(\s|$)/.test(from);
}

function fault({ name, rest }: Instruction): string[] {
  const found: string[] = [];
  const say = (what: string) => found.push(`${name} ${rest}: ${what}`);
  if (name === "ADD") say("use COPY: ADD fetches and unpacks");
  if ((name === "ENV" || name === "ARG") && /KEY|TOKEN|SECRET|PASSWORD/i.test(rest))
    say("a secret would stay in the image");
  if (name === "COPY" && /(^|\s)\.(\s|$)/.test(rest.replace(/\s\S+$/, ""))) say("name what is copied");
  if (name !== "RUN") return found;
  if (/\b(curl|wget)\b/.test(rest)) say("nothing unpinned is fetched");
  if (/apt-get install/.test(rest) && !/--no-install-recommends/.test(rest)) say("use --no-install-recommends");
  if (/apt-get install/.test(rest) && !/apt-get update\s*&&/.test(rest)) say("update and install belong in one layer");
  if (/apt-get update/.test(rest) && !/rm -rf \/var\/lib\/apt\/lists/.test(rest))
    say("remove the package lists in the same layer");
  if (/\bnpm (i|install)\b/.test(rest)) say("npm ci keeps to the lock file");
  return found;
}

/** Whether a path is in the build's context by a .dockerignore of plain names and `*`, the last rule that matches winning. */
export function isInContext(ignore: string, file: string): boolean {
  let kept = true;
  for (const line of ignore.split("\n").map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const pattern = line.replace(/^!/, "");
    if (pattern === "*" || file === pattern || file.startsWith(`${pattern}/`)) kept = line.startsWith("!");
  }
  return kept;
}
