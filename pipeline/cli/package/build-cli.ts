import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { programVersion } from "../../builder/plan/index.ts";

/** Packages that are not bundled: native code, and the Parquet reader, which the page reads from its package. */
export const FROM_PACKAGES = ["@duckdb/node-api", "@duckdb/node-bindings", "parquet-wasm"];

/** Bundles the command line as plain JavaScript. */
export async function buildCli(
  out: string,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    define: {
      CAIRN_PROGRAM: JSON.stringify(await programVersion()),
      CAIRN_PACKAGE: JSON.stringify(name),
      CAIRN_VERSION: JSON.stringify(version),
    },
    build: {
      ssr: "pipeline/cli/main.ts",
      outDir: join(out, "cli"),
      emptyOutDir: true,
      target: "node20",
      rolldownOptions: {
        output: {
          entryFileNames: "main.js",
          chunkFileNames: "[name]-[hash].js",
          banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
        },
      },
    },
    // The packaged program never builds a page, so it needs no Vite.
    ssr: { noExternal: true, external: [...FROM_PACKAGES, "vite"] },
  });
  await copyFile("pipeline/builder/execute/spark-driver.py", join(out, "cli/spark-driver.py"));
}
