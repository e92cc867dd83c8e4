import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BIN, startCli } from "../support/cli.js";
import { startModelServer } from "../support/model-server.js";
import { commandBlocks, DOCUMENTS, prose, ROOT, textOf } from "./documents.js";

/** The two commands that set everything up: whoever runs this test has just done so. */
const SET_UP = /^npm install && npm (?:start|test)$/;
/** What a reader has to fill in, and what stands there while the test runs. */
const TO_FILL_IN = (server: string, port: number) =>
  [
    [/\b8787\b/g, String(port)],
    ["MODEL_API_URL=https://…", `MODEL_API_URL=${server}`],
    ["MODEL_API_KEY=…", "MODEL_API_KEY=none"],
    ["MODEL_NAME=…", "MODEL_NAME=scripted"],
  ] as const;

const cache = mkdtempSync(path.join(tmpdir(), "daw-eval-docs-cache-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** A folder as a reader has it after the set-up, with nothing in `runs/` but the baselines. */
function readersFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "daw-eval-docs-"));
  for (const name of ["tasks", "configs", "docs", "examples", "bin", "README.md"])
    symlinkSync(path.join(ROOT, name), path.join(folder, name));
  cpSync(path.join(ROOT, "runs"), path.join(folder, "runs"), {
    recursive: true,
    filter: (from) => from === path.join(ROOT, "runs") || from.startsWith(path.join(ROOT, "runs", "baselines")),
  });
  mkdirSync(path.join(folder, ".bin"));
  const shim = (name: string, script: string) => {
    writeFileSync(path.join(folder, ".bin", name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, ".bin", name), 0o755);
  };
  shim("npx", `[ "$1" = daw-eval ] || exit 64\nshift\nexec "${process.execPath}" "${BIN}" "$@"`);
  shim("daw-eval", `exec "${process.execPath}" "${BIN}" "$@"`);
  return folder;
}

/** One line of a block: `# exits with 1` at its end says that a reader sees it fail. */
function checked(line: string): string {
  const [, command, code] = /^(.*?)\s*# exits with (\d+)\b.*$/.exec(line) ?? [];
  if (command === undefined) return line;
  return `code=0; ${command} || code=$?; [ "$code" = ${code} ] || { echo "exit code $code, not ${code}" >&2; exit 99; }`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** What a script starts in the background ends with it. */
function runScript(script: string, folder: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      "bash",
      ["-euxo", "pipefail", "-c", `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`],
      {
        cwd: folder,
        env: {
          PATH: `${path.join(folder, ".bin")}:${process.env.PATH ?? ""}`,
          HOME: folder,
          XDG_CACHE_HOME: cache,
          NODE: process.execPath,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** A translation shows the same commands: they are run once. */
const TRANSLATIONS: Readonly<Record<string, string>> = { "README.zh.md": "README.md" };
const withCommands = DOCUMENTS.filter((file) => commandBlocks(textOf(file)).length > 0 && !(file in TRANSLATIONS));

describe("commands of the documents", () => {
  it("are there to be run", () => {
    expect(withCommands).toContain("README.md");
  });

  it.each(withCommands)(
    "%s shows commands that work, one after the other",
    async (file) => {
      const server = await startModelServer(() => ({
        body: {
          id: "1",
          object: "chat.completion",
          created: 0,
          model: "scripted",
          choices: [{ index: 0, message: { role: "assistant", content: "I do not know." }, finish_reason: "stop" }],
        },
      }));
      const folder = readersFolder();
      try {
        const lines = commandBlocks(textOf(file))
          .join("")
          .split("\n")
          .filter((line) => !SET_UP.test(line.trim()));
        const script = TO_FILL_IN(server.base_url, await freePort()).reduce(
          (text, [from, to]) => text.replaceAll(from, to),
          lines.map(checked).join("\n"),
        );
        const { code, output } = await runScript(script, folder);
        expect(code === 0 ? "" : output).toBe("");
        expect(code).toBe(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await server.close();
      }
    },
    180_000,
  );

  it.each(Object.entries(TRANSLATIONS))("are in %s those of %s", (translation, original) => {
    expect(commandBlocks(textOf(translation))).toEqual(commandBlocks(textOf(original)));
  });

  it("are those that the program has, with their options", async () => {
    const help = new Map<string, string>();
    const helpOf = async (command: string) => {
      const known =
        help.get(command) ??
        (await startCli([...command.split(" "), "--help"].filter((word) => word !== "")).done).stdout;
      help.set(command, known);
      return known;
    };
    const commands = [...(await helpOf("")).matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name ?? "");
    expect(commands).toContain("diff");
    const wrong: string[] = [];
    for (const file of DOCUMENTS.filter((name) => !name.startsWith("docs/decisions/") && name !== "CHANGELOG.md")) {
      for (const [span, command = "", rest = ""] of prose(textOf(file)).matchAll(
        /`(?:npx )?daw-eval ([a-z]+)([^`\n]*)`/g,
      )) {
        if (!commands.includes(command)) wrong.push(`${file}: ${span}`);
        else {
          const sub = /^ (list|save|clean|inspect|lint)\b/.exec(rest)?.[1];
          const text = await helpOf(sub === undefined ? command : `${command} ${sub}`);
          for (const [option] of rest.matchAll(/--[a-z-]+/g))
            if (!text.includes(option)) wrong.push(`${file}: ${span} has no ${option}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
