/** Builds of one file that needs nothing beside it: the worker module for edge runtimes, and the service worker that retires. @module */
import { join, resolve } from "node:path";
import { build, type LibraryFormats } from "vite";

interface Library {
  /** Folder that takes the file; what else it holds stays. */
  readonly out: string;
  readonly entry: string;
  readonly format: LibraryFormats;
  readonly fileName: string;
}

export async function buildLibrary({ out, entry, format, fileName }: Library): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    // left to whoever takes a library up, and nobody takes these up
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: resolve(out),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: { entry, formats: [format], name: "cairn", fileName: () => fileName },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}

/** Builds `edge/cairn.js`. */
export function buildEdgeModule(out: string): Promise<void> {
  return buildLibrary({ out: join(out, "edge"), entry: "web/hosts/edge/index.ts", format: "es", fileName: "cairn.js" });
}
