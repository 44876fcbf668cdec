/** Builds the published folder of `cairn-reader`, whose modules import nothing. @module */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";

const SOURCE = "web/reader";
const DECLARED = ".cairn/declarations-";
/** Declarations that those of the modules import. */
const SHARED_TYPES = ["types", "error"];

/** Of the sources: `exports` has the file of each module. */
interface SourcePackage {
  readonly exports: Readonly<Record<string, string>>;
  readonly devDependencies: object;
}

/** A source file of the module, and its bytes before the module is minified. */
interface ModulePart {
  readonly path: string;
  readonly bytes: number;
}

/** Writes the package and replaces the folder `out`. Returns the parts of `index.js`, the largest first. */
export async function buildReaderPackage(out: string): Promise<readonly ModulePart[]> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { readonly version: string };
  const text = await readFile(join(SOURCE, "package.json"), "utf8");
  const { devDependencies: _, ...about } = JSON.parse(text) as SourcePackage;
  const modules = Object.entries(about.exports).map(([name, path]) => [name, basename(path, ".ts")] as const);
  const parts: ModulePart[] = [];
  for (const [, module] of modules) parts.push(...(await buildModule(out, module)));
  await writeTypes(out, [...modules.map(([, module]) => module), ...SHARED_TYPES]);
  const built = modules.map(([name, module]) => [name, { types: `./${module}.d.ts`, default: `./${module}.js` }]);
  const exports = { ...Object.fromEntries(built), "./package.json": "./package.json" };
  await writeFile(join(out, "package.json"), `${JSON.stringify({ ...about, exports, version }, null, 2)}\n`);
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
        checks: { bundlerTimings: false },
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

async function writeTypes(out: string, names: readonly string[]): Promise<void> {
  await mkdir(".cairn", { recursive: true });
  const declared = await mkdtemp(DECLARED);
  try {
    const config = join(SOURCE, "tsconfig.types.json");
    await promisify(execFile)("npx", ["--no-install", "tsc", "-p", config, "--outDir", declared]);
    for (const name of names) {
      const text = await readFile(join(declared, SOURCE, `${name}.d.ts`), "utf8");
      await writeFile(join(out, `${name}.d.ts`), text.replaceAll(/(from\s*"\.[^"]+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(declared, { recursive: true });
  }
}
