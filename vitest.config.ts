import { availableParallelism } from "node:os";
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
    // Tests wait for processes and servers half of the time: three workers for two cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary"] },
  },
});
