/**
 * Makes the npm package: command line, built page, and modules with types. Its dependencies are only those that it
 * needs at run time.
 * @module
 */
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { z } from "zod";
import { licencesText } from "../../../web/site/licences.ts";
import { writeDeclarations } from "../../../web/site/node-module.ts";
import { buildPage } from "../../../web/site/publish.ts";
import { makeFolder } from "../../base/disk/index.ts";
import { programVersion } from "../../builder/plan/index.ts";

const source = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});
const lockFile = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

const REPOSITORY_FILES = ["LICENSE", "NOTICE", "CHANGELOG.md"];

/**
 * Writes the files of the npm package into the folder, which it removes first. `repository` is the https address of the
 * sources, for package.json: npm compares it with the provenance of the package.
 */
export async function makePackage(out: string, repository?: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  const dist = join(out, "dist");
  await makeFolder(dist);
  await buildPage(join(dist, "page"));
  await writeDeclarations(join(dist, "page"));
  const about = source.parse(JSON.parse(await readFile("package.json", "utf8")));
  await buildCli(dist, about);
  await chmod(join(dist, "cli/main.js"), 0o755);
  await writeFile(join(dist, "page/licences.txt"), await licencesText());
  for (const name of REPOSITORY_FILES) await copyFile(name, join(out, name));
  await copyFile("pipeline/cli/package/README.md", join(out, "README.md"));
  await writeFile(
    join(out, "package.json"),
    `${JSON.stringify({ ...packageFile(about, await dependencies()), ...sourcesAt(repository) }, null, 2)}\n`,
  );
}

function sourcesAt(repository: string | undefined): object {
  return repository === undefined ? {} : { repository: { type: "git", url: `git+${repository}.git` } };
}

/** Versions of the packages that the program imports itself, from the lock file. Throws if one is not in it. */
async function dependencies(): Promise<Readonly<Record<string, string>>> {
  const { packages } = lockFile.parse(JSON.parse(await readFile("package-lock.json", "utf8")));
  return Object.fromEntries(
    IMPORTED.map((name) => {
      const version = packages[`node_modules/${name}`]?.version;
      if (version === undefined) throw new Error(`package-lock.json has no version of ${name}: run npm install`);
      return [name, version];
    }),
  );
}

function packageFile(
  { name, version, description, license, engines }: z.infer<typeof source>,
  dependencies: Readonly<Record<string, string>>,
): object {
  const embed = "./dist/page/embed";
  const mapTypes = `${embed}/types/web/embed/map`;
  const map = `${embed}/cairn-map.js`;
  return {
    name,
    version,
    description,
    license,
    type: "module",
    bin: { cairn: "dist/cli/main.js" },
    exports: {
      ".": {
        node: { types: `${embed}/types/web/embed/node/index.d.ts`, default: `${embed}/node.js` },
        types: `${embed}/types/web/embed/index.d.ts`,
        default: `${embed}/cairn.js`,
      },
      "./map": { types: `${mapTypes}/element.d.ts`, default: map },
      "./react": { types: `${mapTypes}/react.d.ts`, default: map },
      "./preact": { types: `${mapTypes}/preact.d.ts`, default: map },
      "./edge": { types: `${embed}/types/web/hosts/edge/index.d.ts`, default: "./dist/page/edge/cairn.js" },
      "./package.json": "./package.json",
    },
    files: ["dist", "CHANGELOG.md", "NOTICE"],
    sideEffects: true,
    engines,
    dependencies,
    publishConfig: { access: "public" },
  };
}

/** Packages that are not bundled: native code, and the Parquet reader, which the page reads from its package. */
const IMPORTED = ["@duckdb/node-api", "parquet-wasm"];
/** `@duckdb/node-api` depends on the last. */
const FROM_PACKAGES = [...IMPORTED, "@duckdb/node-bindings"];

/** Bundles the command line as plain JavaScript. */
async function buildCli(
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
        checks: { bundlerTimings: false },
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
