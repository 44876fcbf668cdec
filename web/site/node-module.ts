/**
 * Builds the ES module `cairn` for Node, and the types of both modules: `dist/embed/`.
 * @module
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { TEXT_TABLES } from "./library.ts";
import { zodLocales } from "./zod-locales.ts";

/** Declarations written by hand, because they extend packages that are not installed here. */
const WRITTEN = ["web/embed/map/react.d.ts", "web/embed/map/preact.d.ts"];
/** Prefix of the compiler's output folder: one per build, because two may run at once. */
const DECLARED = ".cairn/declarations-";
const ENTRIES = [
  "web/embed/index.d.ts",
  "web/embed/node/index.d.ts",
  "web/embed/map/element.d.ts",
  "web/hosts/edge/index.d.ts",
];

/** Builds the module for Node, with all dependencies in it except the Parquet reader, which is read from its own package. */
export async function buildNodeModule(out: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    json: TEXT_TABLES,
    plugins: [zodLocales()],
    build: {
      ssr: "web/embed/node/index.ts",
      outDir: join(out, "embed"),
      emptyOutDir: false,
      target: "node20",
      rolldownOptions: {
        checks: { bundlerTimings: false },
        // otherwise code shared by its other scripts is also exported, under one-letter names
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "node.js", chunkFileNames: "node/[name]-[hash].js" },
      },
    },
    ssr: { noExternal: true },
  });
}

/** Writes the declarations of the modules, and all that these refer to, below `embed/types/`. */
export async function writeDeclarations(out: string): Promise<void> {
  await mkdir(dirname(DECLARED), { recursive: true });
  const declared = await mkdtemp(DECLARED);
  try {
    await promisify(execFile)("npx", [
      "--no-install",
      "tsc",
      "-p",
      "web/embed/tsconfig.types.json",
      "--outDir",
      declared,
    ]);
    await copyDeclarations(declared, join(out, "embed/types"));
  } finally {
    await rm(declared, { recursive: true });
  }
}

async function copyDeclarations(declared: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const wanted = new Set(ENTRIES);
  for (const path of wanted) {
    const text = await readFile(join(declared, path), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.tsx?"/g)) {
      wanted.add(`${normalize(join(dirname(path), name))}.d.ts`);
    }
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    // Programs resolve the types as if the sources had been compiled separately.
    await writeFile(target, text.replaceAll(/((?:from|import\()\s*"\.[^"]+)\.tsx?"/g, '$1.js"'));
  }
  for (const path of WRITTEN) await copyFile(path, join(folder, path));
}
