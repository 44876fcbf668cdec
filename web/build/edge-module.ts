/** The worker module for edge runtimes: `edge/cairn.js`, one file that needs nothing of Node. @module */
import { join } from "node:path";
import { build } from "vite";

/** Builds the module. */
export async function buildEdgeModule(out: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: join(out, "edge"),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: { entry: "web/hosts/edge/index.ts", formats: ["es"], fileName: () => "cairn.js" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}
