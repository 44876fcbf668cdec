import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesBelow, hashFile } from "../disk/files.ts";

/** The path and the hash of every file below the folder. */
export async function hashTree(folder: string): Promise<string[]> {
  return Promise.all((await filesBelow(folder)).map(async (path) => `${path} ${await hashFile(join(folder, path))}`));
}

/** The same of an extract, by path, but for what its host told of the files: not every host tells as much. */
export async function hashExtract(folder: string): Promise<Record<string, string>> {
  const hashOf = async (path: string): Promise<string> => {
    if (path !== "extract.json") return hashFile(join(folder, path));
    const { sources: _, ...extract } = JSON.parse(await readFile(join(folder, path), "utf8"));
    return createHash("sha256").update(JSON.stringify(extract)).digest("hex");
  };
  const paths = (await filesBelow(folder)).sort();
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await hashOf(path)])));
}
