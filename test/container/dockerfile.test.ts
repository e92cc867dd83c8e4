import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadProfile } from "../../src/config/load-profile.js";
import { faultsOf, instructionsOf, isInContext } from "./dockerfile.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFileSync(path.join(ROOT, name), "utf8");

describe("the image", () => {
  test("keeps the rules that it relies on", () => {
    expect(faultsOf(read("Dockerfile"))).toEqual([]);
  });

  test.each([
    [/20\.20\.2-bookworm-slim$/m, "latest", /FROM node:latest: pin/],
    [/USER node/, "USER root", /USER root: the image must not run as root/],
    [/USER node/, "", /USER root/],
    [/ENTRYPOINT .*/, "ENTRYPOINT node /app/bin/daw-eval.js", /ENTRYPOINT node .*: a shell between/],
    [/ --no-install-recommends/, "", /use --no-install-recommends/],
    [/ \\\n {2}&& rm -rf \/var\/lib\/apt\/lists\/\*/, "", /remove the package lists/],
    [/COPY src .*/, "ADD src ./src", /ADD src .*: use COPY/],
    [/COPY src .*/, "COPY . .", /COPY \. \.: name what is copied/],
    [/npm ci/, "npm install", /npm ci keeps to the lock file/],
    [/ENV NODE_ENV.*/, "ENV MODEL_API_KEY=abc", /a secret would stay in the image/],
    [/USER node/, "RUN npm run build\nUSER node", /building is for the stage before/],
  ])("a Dockerfile with %s as %j is found fault with", (from, to, fault) => {
    const changed = read("Dockerfile").replace(from, to);
    expect(changed).not.toBe(read("Dockerfile"));
    expect(faultsOf(changed).join("\n")).toMatch(fault);
  });

  test("is made of files that are there and in the build's context, and of nothing that could hold golds, keys or runs", () => {
    const ignore = read(".dockerignore");
    const sources = instructionsOf(read("Dockerfile"))
      .filter(({ name, rest }) => name === "COPY" && !rest.startsWith("--from"))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
    expect(sources).toContain("configs");
    for (const source of sources) {
      expect([source, existsSync(path.join(ROOT, source)), isInContext(ignore, source)]).toEqual([source, true, true]);
    }
    for (const file of [".git", ".env", "runs/r/run.jsonl", "tasks/demo/output", "test", "node_modules", "docs"]) {
      expect([file, isInContext(ignore, file)]).toEqual([file, false]);
    }
  });

  test("runs what this machine's Node runs: the same major version as the package asks for", () => {
    const bases = instructionsOf(read("Dockerfile")).filter(({ name }) => name === "FROM");
    const versions = new Set(bases.map(({ rest }) => /node:(\d+\.\d+\.\d+)/.exec(rest)?.[1]));
    expect(versions.size).toBe(1);
    expect([...versions][0]).toMatch(/^20\./);
  });

  test("has a profile that takes the competition's variables, one trial a task and a time for the whole run", async () => {
    const env = { MODEL_API_URL: "http://model:8000/v1", MODEL_API_KEY: "sk-canary-12", MODEL_NAME: "qwen" };
    const profile = await loadProfile({ file: "docker", overrides: [], env });
    expect(profile).toMatchObject({
      model: { provider: "openai", base_url: env.MODEL_API_URL, name: "qwen", api_key_env: "MODEL_API_KEY" },
      repeats: 1,
      concurrency: 8,
      limits: { run_seconds: 42_600, seconds: 1200 },
    });
    const shorter = await loadProfile({
      file: "docker",
      overrides: [],
      env: { ...env, RUN_SECONDS: "6900", CONCURRENCY: "16" },
    });
    expect(shorter).toMatchObject({ concurrency: 16, limits: { run_seconds: 6900 } });
    expect(JSON.stringify(profile)).not.toContain(env.MODEL_API_KEY);
  });
});
