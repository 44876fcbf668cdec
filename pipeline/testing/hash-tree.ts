import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesBelow, hashFile } from "../base/disk/files.ts";

/** Path and hash of every file in the folder. */
export async function hashTree(folder: string): Promise<string[]> {
  return Promise.all((await filesBelow(folder)).map(async (path) => `${path} ${await hashFile(join(folder, path))}`));
}

/** Hashes of an extract by path, without what its host reported about the files: hosts differ in that. */
export async function hashExtract(folder: string): Promise<Record<string, string>> {
  const hashOf = async (path: string): Promise<string> => {
    if (path !== "extract.json") return hashFile(join(folder, path));
    const { sources: _, ...extract } = JSON.parse(await readFile(join(folder, path), "utf8"));
    return createHash("sha256").update(JSON.stringify(extract)).digest("hex");
  };
  const paths = (await filesBelow(folder)).sort();
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await hashOf(path)])));
}
