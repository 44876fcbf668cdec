/** Builds the published folder of `cairn-reader`, whose modules import nothing. @module */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";

const SOURCE = "web/reader";
const DECLARED = ".cairn/declarations-";
const MODULES = ["index", "node", "pinned", "table"];
const DECLARATIONS = ["index", "node", "pinned", "table", "types", "error"];

/** A source file of the module, and its bytes before the module is minified. */
interface ModulePart {
  readonly path: string;
  readonly bytes: number;
}

/** Writes the package and replaces the folder `out`. Returns the parts of `index.js`, the largest first. */
export async function buildReaderPackage(out: string): Promise<readonly ModulePart[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const parts: ModulePart[] = [];
  for (const name of MODULES) parts.push(...(await buildModule(out, name)));
  await writeTypes(out);
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { readonly version: string };
  const about = JSON.parse(await readFile(join(SOURCE, "package.json"), "utf8")) as { readonly name: string };
  await writeFile(join(out, "package.json"), `${JSON.stringify({ ...about, version }, null, 2)}\n`);
  await copyFile(join(SOURCE, "README.md"), join(out, "README.md"));
  for (const name of ["LICENSE", "NOTICE"]) await copyFile(name, join(out, name));
  return parts.sort((a, b) => b.bytes - a.bytes);
}

async function buildModule(out: string, name: string): Promise<ModulePart[]> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: out,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: { entry: `${SOURCE}/${name}.ts`, formats: ["es"], fileName: () => `${name}.js` },
      rolldownOptions: {
        external: /^node:/,
        checks: { pluginTimings: false },
        output: { codeSplitting: false, minify: true, comments: { annotation: false } },
      },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  return outputs.flatMap((chunk) =>
    chunk.type === "chunk"
      ? Object.entries(chunk.modules).map(([path, { renderedLength }]) => ({
          path: path.replace(`${process.cwd()}/`, ""),
          bytes: renderedLength,
        }))
      : [],
  );
}

async function writeTypes(out: string): Promise<void> {
  await mkdir(".cairn", { recursive: true });
  const declared = await mkdtemp(DECLARED);
  try {
    const config = join(SOURCE, "tsconfig.types.json");
    await promisify(execFile)("npx", ["--no-install", "tsc", "-p", config, "--outDir", declared]);
    for (const name of DECLARATIONS) {
      const text = await readFile(join(declared, SOURCE, `${name}.d.ts`), "utf8");
      await writeFile(join(out, `${name}.d.ts`), text.replaceAll(/(from\s*"\.[^"]+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(declared, { recursive: true });
  }
}
