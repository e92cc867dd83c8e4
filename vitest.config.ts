import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/architecture/**", "node_modules/**"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Tests wait for processes and servers most of the time: one worker for each core, not one less.
    maxWorkers: "100%",
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary"] },
  },
});
