import { join } from "node:path";
import { filesBelow, hashFile } from "../disk/files.ts";

/** The path and the hash of every file below the folder. */
export async function hashTree(folder: string): Promise<string[]> {
  return Promise.all((await filesBelow(folder)).map(async (path) => `${path} ${await hashFile(join(folder, path))}`));
}
