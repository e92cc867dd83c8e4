import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/architecture/**/*.test.ts"], root: new URL("../..", import.meta.url).pathname },
});
