import { defineConfig } from "vite";

/** Bundles the script and style of the HTML report, Observable Plot included, into two files that the report inlines. */
export default defineConfig({
  build: {
    outDir: "dist/report/html",
    emptyOutDir: false,
    lib: {
      entry: "src/report/html/client/main.ts",
      formats: ["iife"],
      name: "report",
      fileName: () => "client.js",
      cssFileName: "client",
    },
  },
});
