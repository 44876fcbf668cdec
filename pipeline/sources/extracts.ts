/** Sources that cairn get has fetched: they know their release, and whether they are whole. @module */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isAddress } from "./remote-sources.ts";
import { EXTRACT_FILE, type SourceFile, UNDER_WAY_FOLDER } from "./sources.ts";

const extract = z.object({ release: z.string() });

/** The release of all files; undefined when some are of none. Throws for two releases, and for a folder that is not whole. */
export async function releaseOfExtracts(files: readonly SourceFile[]): Promise<string | undefined> {
  const roots = [...new Set(files.filter(({ path }) => !isAddress(path)).map(({ root }) => root))];
  const releases = await Promise.all(roots.map(releaseIn));
  const [first, other] = new Set(releases.filter((release) => release !== undefined));
  if (other !== undefined) throw new Error(`sources of two releases, ${first} and ${other}: build a dataset of each`);
  return files.some(({ path }) => isAddress(path)) || releases.includes(undefined) ? undefined : first;
}

async function releaseIn(root: string): Promise<string | undefined> {
  const isUnderWay = await stat(join(root, UNDER_WAY_FOLDER, "plan.json")).catch(() => undefined);
  if (isUnderWay) throw new Error(`${root}: the extract is not whole: give its cairn get again`);
  const path = join(root, EXTRACT_FILE);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return extract.parse(JSON.parse(text)).release;
  } catch (cause) {
    throw new Error(`${path}: does not describe an extract`, { cause });
  }
}
