/**
 * The STAC catalogue, which says nothing that the index does not say: it must be what the index makes.
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { pageReader, stacFiles } from "../index/index.ts";
import type { Ledger } from "./ledger.ts";

/** Compares each file of the catalogue; returns their paths. An index that cannot be read is told by other checks too. */
export async function verifyStac(dataset: string, manifest: Manifest, ledger: Ledger): Promise<string[]> {
  const readPage = pageReader(dataset);
  const paths: string[] = [];
  try {
    for await (const { path, text } of stacFiles(manifest, (page) => readPage(page).catch(() => []))) {
      const found = await readFile(join(dataset, path), "utf8").catch(() => undefined);
      const fault = found === undefined ? "missing" : "not what the index says";
      ledger.expect("dataset", "index", found === text, () => `${path}: ${fault}`);
      paths.push(path);
    }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    ledger.expect("dataset", "index", false, () => `the catalogue cannot be compared: ${fault}`);
  }
  return paths;
}
