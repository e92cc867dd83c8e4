import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Measured, measure } from "./measure.js";

const execute = promisify(execFile);

/** Versions that are measured beside us; installed on demand in a folder of their own, never into this package. */
const PEERS = { promptfoo: "0.121.20", evalite: "1.0.0-beta.16" } as const;

/** Installs a peer in `folder`; null, with the reason on stderr, where that is not possible here. */
async function install(folder: string, name: keyof typeof PEERS, more: readonly string[]): Promise<string | null> {
  const home = path.join(folder, name);
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, "package.json"), '{"private": true, "type": "module"}\n');
  try {
    await execute("npm", ["install", "--no-audit", "--no-fund", `${name}@${PEERS[name]}`, ...more], {
      cwd: home,
      maxBuffer: 1e8,
    });
    return home;
  } catch (error) {
    process.stderr.write(`${name} cannot be installed here: ${String(error).slice(0, 500)}\n`);
    return null;
  }
}

/** promptfoo asks the server once for each of `tasks` questions. */
export async function promptfoo(folder: string, baseUrl: string, tasks: number): Promise<Measured | null> {
  const home = await install(folder, "promptfoo", []);
  if (home === null) return null;
  const config = {
    prompts: ["{{question}}"],
    providers: [{ id: "openai:chat:scripted", config: { apiBaseUrl: baseUrl, apiKey: "none" } }],
    tests: Array.from({ length: tasks }, (_, index) => ({
      vars: { question: `How many fruit are red, time ${index}?` },
    })),
  };
  await writeFile(path.join(home, "promptfooconfig.json"), JSON.stringify(config));
  const env = {
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_SHARING: "1",
    PROMPTFOO_CONFIG_DIR: path.join(home, "state"),
    CI: "1",
  };
  const args = ["eval", "-c", "promptfooconfig.json", "--no-cache", "--no-table", "--no-progress-bar", "-j", "32"];
  return measure([process.execPath, path.join(home, "node_modules/promptfoo/dist/src/main.js"), ...args], {
    cwd: home,
    env,
  }).catch(failed("promptfoo"));
}

/** evalite asks the server once for each of `tasks` questions. */
export async function evalite(folder: string, baseUrl: string, tasks: number): Promise<Measured | null> {
  const home = await install(folder, "evalite", ["better-sqlite3@11.10.0", "ai@6", "vitest@4.1.12"]);
  if (home === null) return null;
  await writeFile(
    path.join(home, "bench.eval.ts"),
    `import { evalite } from "evalite";
evalite("bench", {
  data: async () => Array.from({ length: ${tasks} }, (_, index) => ({ input: "How many fruit are red, time " + index + "?", expected: "2" })),
  task: async (input: string) => {
    const response = await fetch("${baseUrl}/chat/completions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "scripted", messages: [{ role: "user", content: input }] }) });
    return ((await response.json()) as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? "";
  },
  scorers: [{ name: "equal", scorer: ({ output, expected }: { output: string; expected?: string }) => (output === expected ? 1 : 0) }],
});
`,
  );
  return measure([path.join(home, "node_modules/.bin/evalite"), "run"], { cwd: home }).catch(failed("evalite"));
}

function failed(name: string): (error: unknown) => null {
  return (error) => {
    process.stderr.write(`${name} did not run here: ${String(error).slice(0, 800)}\n`);
    return null;
  };
}
