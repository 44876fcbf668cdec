/**
 * The STAC catalogue, which says nothing that the index does not say: it must be what the index makes.
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { pageReader, stacFiles } from "../index/stac.ts";
import type { Ledger } from "./ledger.ts";

/** Compares each file of the catalogue; returns their paths. Index pages that cannot be read are told by other checks. */
export async function verifyStac(dataset: string, manifest: Manifest, ledger: Ledger): Promise<string[]> {
  const readPage = pageReader(dataset);
  const paths: string[] = [];
  for await (const { path, text } of stacFiles(manifest, (page) => readPage(page).catch(() => []))) {
    const found = await readFile(join(dataset, path), "utf8").catch(() => undefined);
    const fault = found === undefined ? "missing" : "not what the index says";
    ledger.expect("dataset", "index", found === text, () => `${path}: ${fault}`);
    paths.push(path);
  }
  return paths;
}
