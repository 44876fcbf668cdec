/**
 * The licences of what a site holds, as one text: bundles lose the comments in which packages carry theirs.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const LOCK = "package-lock.json";
const OWN = ["NOTICE", "LICENSE"];
/** Names of the files in which packages carry their terms. */
const TERMS = /^(licen[cs]e|notice|copying)/i;
const RULE = `\n${"-".repeat(80)}\n\n`;

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});
const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
  homepage: z.string().optional(),
});

/** Our own terms, then those of each package that runs, whether or not a bundle has a part of it. */
export async function licencesText(): Promise<string> {
  const { packages } = lockFile.parse(JSON.parse(await readFile(LOCK, "utf8")));
  const folders = Object.entries(packages)
    // folders of ours, and links to them, are in the list too
    .filter(([path, { dev, optional, link }]) => path.startsWith("node_modules/") && !dev && !optional && !link)
    .map(([path]) => path);
  const own = await Promise.all(OWN.map((name) => readFile(name, "utf8")));
  return [...own, ...(await Promise.all(folders.sort().map(termsOf)))].join(RULE);
}

/** Name and version of a package and its terms; where it has no file of them, what it says of itself. */
async function termsOf(folder: string): Promise<string> {
  const about = packageFile.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  const { name, version, license = "no licence named", author, homepage } = about;
  const files = (await readdir(folder)).filter((file) => TERMS.test(file)).sort();
  const terms = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const by = typeof author === "string" ? author : author?.name;
  return [[name, version, license].join(", "), by, homepage, "", ...terms]
    .filter((line) => line !== undefined)
    .join("\n");
}
