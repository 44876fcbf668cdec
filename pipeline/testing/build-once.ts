/** Datasets that tests share: built when a test first needs them, and again when the program or their sources have changed. @module */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeOnce } from "./make-once.ts";

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Longer than a run of the tests takes on the slowest machine. */
const KEPT_MS = 15 * 60 * 1000;

export interface SharedDataset {
  /** Name of a folder below `.cairn`. */
  readonly name: string;
  /** Folders of the repository that the dataset depends on, besides the program. */
  readonly inputs: readonly string[];
  /** Builds the dataset into the folder. */
  readonly build: (out: string) => Promise<void>;
}

/** The dataset's folder, built by one of those who need it at once. */
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

/** Removes datasets of earlier programs. */
async function removeOld(datasets: string): Promise<void> {
  for (const name of await readdir(datasets)) {
    const { mtimeMs } = await stat(join(datasets, name));
    if (Date.now() - mtimeMs > KEPT_MS) await rm(join(datasets, name), { recursive: true, force: true });
  }
}

/** Changes when the inputs or the program that builds from them do. */
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
