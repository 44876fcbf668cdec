/** Builds single files without imports: the module for edge runtimes, and service workers. @module */
import { join, resolve } from "node:path";
import { build, type LibraryFormats, type PluginOption } from "vite";
import { zodLocales } from "./zod-locales.ts";

export interface Library {
  /** Folder of the file to write. Other files in it stay. */
  readonly out: string;
  readonly entry: string;
  readonly format: LibraryFormats;
  readonly fileName: string;
  readonly plugins?: readonly PluginOption[];
  /** Paths of modules that their packages do not export, by the name under which they are imported. */
  readonly alias?: Readonly<Record<string, string>>;
}

/** Options with which JSON tables are imported as text and parsed on use: as modules they are half as large again. */
export const TEXT_TABLES = { namedExports: false, stringify: true } as const;

/** Bundles the module `entry` and all its imports into the single file `out/fileName`. Other files in `out` stay. */
export async function buildLibrary({ out, entry, format, fileName, plugins = [], alias = {} }: Library): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [...plugins, zodLocales()],
    resolve: { alias },
    json: TEXT_TABLES,
    // A library build of Vite leaves this to the importing program, but these files run as they are.
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: resolve(out),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: { entry, formats: [format], name: "cairn", fileName: () => fileName },
      // DuckDB's bindings contain an `eval` of Emscripten's that is never run.
      rolldownOptions: { checks: { eval: false, bundlerTimings: false }, output: { codeSplitting: false } },
    },
  });
}

/** Builds `edge/cairn.js` in the folder `out`. */
export function buildEdgeModule(out: string): Promise<void> {
  return buildLibrary({ out: join(out, "edge"), entry: "web/hosts/edge/index.ts", format: "es", fileName: "cairn.js" });
}
