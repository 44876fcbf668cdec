/**
 * Collects the licences of the contents of a site in one text, because bundles lose the comments with them.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const LOCK = "package-lock.json";
const OWN = ["NOTICE", "LICENSE"];
/** Dependencies that are needed to build a site and are not in it. */
const BUILD_TOOLS = ["tsx", "typescript", "vite"];
/** Names of the files with the terms of a package. */
const TERMS = /^(licen[cs]e|notice|copying)/i;
/** In the path of each installed package. */
const MODULES = "node_modules/";
const RULE = `\n${"-".repeat(80)}\n\n`;

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: z.record(z.string(), z.string()).optional(),
      peerDependencies: z.record(z.string(), z.string()).optional(),
      peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
      optional: z.boolean().optional(),
    }),
  ),
});
const author = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([author, z.array(author)]).optional(),
  homepage: z.string().optional(),
});

/** Returns our own terms, then those of each package that a site may contain, whether a bundle includes it or not. */
export async function licencesText(): Promise<string> {
  const lock = lockFile.parse(JSON.parse(await readFile(LOCK, "utf8")));
  const own = await Promise.all(OWN.map((name) => readFile(name, "utf8")));
  return [...own, ...(await Promise.all(foldersOf(lock).sort().map(termsOf)))].join(RULE);
}

/** Returns the folders of the dependencies of the projects, direct and indirect ones. */
function foldersOf({ packages }: z.infer<typeof lockFile>): string[] {
  const projects = Object.keys(packages).filter((folder) => !folder.includes(MODULES));
  const found = new Set(projects);
  // A set also iterates over entries added during the loop.
  for (const folder of found) {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packages[folder] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys(dependencies ?? {}), ...peers]) {
      if (!folder.includes(MODULES) && BUILD_TOOLS.includes(name)) continue;
      const installed = resolvePackage(folder, name, packages);
      if (!packages[installed]?.optional) found.add(installed);
    }
  }
  for (const project of projects) found.delete(project);
  return [...found];
}

/** Returns the folder that Node finds for a package that is imported from `folder`. */
function resolvePackage(folder: string, name: string, packages: object): string {
  for (let at = folder; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(MODULES) - 1))) {
    if (`${at}/node_modules/${name}` in packages) return `${at}/node_modules/${name}`;
  }
  return `node_modules/${name}`;
}

/**
 * Name, version and terms of a package; without a file of terms, the licence in its package.json. A folder of terms has a
 * file for each licence of the sources, of which the package's own counts.
 */
async function termsOf(folder: string): Promise<string> {
  const about = packageFile.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  const { name, version, license, homepage } = about;
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => TERMS.test(entry.name));
  const files = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/${license}.txt` : entry.name)).sort();
  const terms = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const by = about.author && [about.author].flat().join(", ");
  const stated = license ?? (files.length > 0 ? "terms below" : "no licence named");
  return [[name, version, stated].join(", "), by, homepage, "", ...terms]
    .filter((line) => line !== undefined)
    .join("\n");
}
