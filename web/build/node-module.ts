/**
 * The ES module `cairn` for Node, and the types of both: `dist/embed/`.
 * @module
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { TEXT_TABLES } from "./library.ts";

/** Written by hand: they extend packages that are not installed here. */
const WRITTEN = ["web/embed/map/react.d.ts", "web/embed/map/preact.d.ts"];
/** Where the compiler leaves declarations: a folder for each build, since two may run at once. */
const DECLARED = ".cairn/declarations-";
const ENTRIES = [
  "web/embed/index.d.ts",
  "web/embed/node/index.d.ts",
  "web/embed/map/element.d.ts",
  "web/hosts/edge/index.d.ts",
];

/** Builds the module, with all it needs but the Parquet reader, which is read from its package. */
export async function buildNodeModule(out: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    json: TEXT_TABLES,
    build: {
      ssr: "web/embed/node/index.ts",
      outDir: join(out, "embed"),
      emptyOutDir: false,
      target: "node20",
      rolldownOptions: {
        // else what its other scripts share is exported too, under one letter each
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "node.js", chunkFileNames: "node/[name]-[hash].js" },
      },
    },
    ssr: { noExternal: true },
  });
}

/** Writes the declarations of the modules, and of what they name, below `embed/types/`. */
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

/** Copies the modules' declarations, and those that they name. */
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
    // Programs that use the types resolve them as if the sources had been compiled one by one.
    await writeFile(target, text.replaceAll(/((?:from|import\()\s*"\.[^"]+)\.tsx?"/g, '$1.js"'));
  }
  for (const path of WRITTEN) await copyFile(path, join(folder, path));
}
