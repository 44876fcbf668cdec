/**
 * The package's tarball, and folders in which npm would have installed it.
 * @module
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { hashTrees } from "../../pipeline/cli/freshness.ts";
import { makePackage } from "../../pipeline/cli/package/make-package.ts";
import { makeOnce } from "../../pipeline/testing/make-once.ts";

const run = promisify(execFile);
const PACKED = ".cairn/testing/packed";
const INPUTS = [
  "web",
  "data/format",
  "data/parquet",
  "data/release",
  "data/tables",
  "data/hours",
  "data/positions",
  "data/sample/world",
  "pipeline",
  "vite.config.ts",
  "package.json",
  "package-lock.json",
  "CHANGELOG.md",
];

export interface PackedPackage {
  /** Source folder of the tarball. */
  readonly folder: string;
  readonly tarball: string;
}

/** Packs the package if the program has changed. Test files share the tarball. */
export async function packPackage(): Promise<PackedPackage> {
  const hash = (await hashTrees(INPUTS)).slice(0, 16);
  const made = resolve(PACKED, hash);
  const packed = { folder: join(made, "package"), tarball: join(made, "cairn-map.tgz") };
  await mkdir(PACKED, { recursive: true });
  await makeOnce(packed.tarball, `${made}.lock`, async () => {
    for (const name of await readdir(PACKED)) {
      if (!name.startsWith(hash)) await rm(join(PACKED, name), { recursive: true });
    }
    await makePackage(packed.folder);
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", made, packed.folder]);
    const [tarball] = JSON.parse(stdout) as { readonly filename: string }[];
    await rename(join(made, tarball?.filename ?? ""), packed.tarball);
  });
  return packed;
}

/** Makes a folder with the package, its dependencies, and other packages under the given names. */
export async function installPackage(
  folder: string,
  { tarball }: PackedPackage,
  others: Readonly<Record<string, string>> = {},
): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", modules]);
  await run("mv", [join(modules, "package"), join(modules, "cairn-map")]);
  const { bin, dependencies } = JSON.parse(await readFile(join(modules, "cairn-map/package.json"), "utf8"));
  await symlink(join("../cairn-map", bin.cairn), join(modules, ".bin/cairn"));
  // As npm does.
  await chmod(join(modules, "cairn-map", bin.cairn), 0o755);
  const own = Object.keys(dependencies).map((name) => [name, name] as const);
  for (const [name, from] of [...own, ...Object.entries(others)]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve("node_modules", from), join(modules, name));
  }
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
}
