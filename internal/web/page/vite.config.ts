import { defineConfig } from "vite";

// The bundle is committed: names come from its contents alone, and nothing in it
// depends on the machine that made it.
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
