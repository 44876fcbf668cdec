/**
 * Datasets that tests share. They are built at first use, and again if the program or their sources changed. @module
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeOnce } from "./make-once.ts";

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Longer than a test run on a slow machine. */
const KEPT_MS = 15 * 60 * 1000;

export interface SharedDataset {
  /** Name of a folder below `.cairn`. */
  readonly name: string;
  /** Folders of the repository that the dataset depends on, in addition to the program. */
  readonly inputs: readonly string[];
  /** Builds the dataset into the folder. */
  readonly build: (out: string) => Promise<void>;
}

/** Returns the dataset's folder. If several processes need it, one builds it. */
export async function buildOnce({ name, inputs, build }: SharedDataset): Promise<string> {
  const datasets = here(`.cairn/${name}`);
  const folder = join(datasets, await fingerprint(inputs));
  await mkdir(datasets, { recursive: true });
  await makeOnce(join(folder, "manifest.json"), `${folder}.lock`, async () => {
    await build(folder);
    await removeOld(datasets);
  });
  return folder;
}

/** Removes datasets of earlier program versions. */
async function removeOld(datasets: string): Promise<void> {
  for (const name of await readdir(datasets)) {
    const { mtimeMs } = await stat(join(datasets, name));
    if (Date.now() - mtimeMs > KEPT_MS) await rm(join(datasets, name), { recursive: true, force: true });
  }
}

/** Hash of the inputs and of the program that builds from them. */
async function fingerprint(inputs: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of [...inputs, "data/format", "pipeline"].map(here)) {
    for (const name of (await readdir(folder, { recursive: true })).sort()) {
      if (!/\.(ts|parquet|json)$/.test(name) || name.endsWith(".test.ts")) continue;
      hash.update(name).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
