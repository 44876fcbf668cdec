/** Datasets that tests share: built when a test first needs them, and again when the program or their sources have changed. @module */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Longer than a build takes on the slowest machine. */
const LOCK_MS = 15 * 60 * 1000;

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
  const lock = `${folder}.lock`;
  await mkdir(datasets, { recursive: true });
  while (!existsSync(join(folder, "manifest.json"))) {
    if (await takeLock(lock)) {
      try {
        await build(folder);
        await removeOld(datasets);
      } finally {
        await rm(lock, { recursive: true });
      }
    } else await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return folder;
}

/** Whether the lock is now the caller's. One that was left behind is taken over. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const made = await stat(lock).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > LOCK_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

/** Removes datasets of earlier programs. */
async function removeOld(datasets: string): Promise<void> {
  for (const name of await readdir(datasets)) {
    const { mtimeMs } = await stat(join(datasets, name));
    if (Date.now() - mtimeMs > LOCK_MS) await rm(join(datasets, name), { recursive: true, force: true });
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
